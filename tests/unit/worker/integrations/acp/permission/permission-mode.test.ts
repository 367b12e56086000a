/**
 * A permission mode (`ask`, `deny_all`, `allowlist`, `auto_approve`) answers a request or leaves it to people, never for good,
 * and never for a plan.
 */
import { describe, expect, it } from "vitest";
import { readPermissionRequest } from "../../../../../../src/worker/integrations/acp/permission/permission.js";
import {
  parseAllowRule,
  decideAutomatically,
} from "../../../../../../src/worker/integrations/acp/permission/permission-mode.js";
import type { PermissionMode } from "../../../../../../src/model/permission-mode.js";

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

interface Asked {
  readonly title?: string;
  readonly kind?: string;
  /** All that it reads or writes; null: that is not known. */
  readonly paths?: readonly string[] | null;
  readonly options?: readonly object[];
  /** How the titles of its plans begin. */
  readonly plans?: string;
}

function answer(mode: PermissionMode, patterns: readonly string[], asked: Asked) {
  const { title = "git status", kind = "execute", paths = null, options = OPTIONS, plans } = asked;
  const toolCall = { toolCallId: "1", title, kind };
  const request = readPermissionRequest(
    { options, toolCall },
    () => undefined,
    (given) => plans !== undefined && given.startsWith(plans),
  );
  if (!request) throw new Error("it cannot be read");
  const automatic = decideAutomatically({ mode, allowlist: patterns.map(parseAllowRule) }, request, paths);
  return automatic?.kind === "allow" ? automatic.option.optionId : (automatic?.kind ?? null);
}

describe("a permission in a session", () => {
  it("is raised as a prompt by default", () => expect(answer("ask", ["kind:execute"], {})).toBeNull());
  it("is refused by the mode that refuses all", () => expect(answer("deny_all", [], {})).toBe("deny"));
  it("is given once by the mode that allows all, never for good", () =>
    expect(answer("auto_approve", [], {})).toBe("once"));

  it("is raised by the mode that allows all, if it cannot be given once, or in one way only", () => {
    const always = [OPTIONS[0], OPTIONS[2]] as object[];
    expect(answer("auto_approve", [], { options: always })).toBeNull();
    const two = [...OPTIONS, { optionId: "other", name: "Yes, and switch", kind: "allow_once" }];
    expect(answer("auto_approve", [], { options: two })).toBeNull();
  });

  it("is raised by the mode that allows all, if it is a plan's", () =>
    expect(answer("auto_approve", [], { kind: "switch_mode" })).toBeNull());

  it("is raised by the mode that allows all, if its title says that it is a plan's", () => {
    const plan = { kind: "other", title: "Approve the plan plan.md" };
    expect(answer("auto_approve", [], plan)).toBe("once");
    expect(answer("auto_approve", [], { ...plan, plans: "Approve the plan " })).toBeNull();
    expect(answer("allowlist", ["kind:other"], { ...plan, plans: "Approve the plan " })).toBeNull();
  });
});

describe("a pattern", () => {
  it.each<[string, Asked, boolean]>([
    ["kind:execute", {}, true],
    ["kind:exec", {}, false],
    ["title:git status", {}, true],
    ["title:git", {}, false],
    ["title:git *", { title: "git add a/b.ts" }, true],
    ["title:git *", { title: "git add\nrm -r /" }, false],
    ["title:a.c", { title: "abc" }, false],
    ["title:a?c", { title: "abc" }, true],
    ["title~^npm (test|run lint)$", { title: "npm run lint" }, true],
    ["title~^npm (test|run lint)$", { title: "npm run lint --fix" }, false],
    ["title:**", { title: "x".repeat(1001) }, false],
    ["path:/srv/api/**", { paths: ["/srv/api/src/a.ts"] }, true],
    ["path:/srv/api/*", { paths: ["/srv/api/src/a.ts"] }, false],
    ["path:/srv/api/**", { paths: ["/srv/api/a.ts", "/etc/passwd"] }, false],
    ["path:/srv/api/**", { paths: [] }, false],
    ["path:/srv/api/**", { paths: null }, false],
    ["path~^/srv/", { paths: ["/srv/a"] }, true],
  ])("%s, of %j: %s", (pattern, asked, fits) => {
    expect(answer("allowlist", [pattern], asked)).toBe(fits ? "once" : null);
  });
});
