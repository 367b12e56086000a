/**
 * While no hub runs, a permission mode refuses at once and allows only after it is on record in time. A folder in the allow list
 * allows only edits of its files.
 */
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../../../../../src/model/permission-mode.js";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { readPermissionRequest } from "../../../../../../src/worker/integrations/acp/permission/permission.js";
import { parseAllowRule } from "../../../../../../src/worker/integrations/acp/permission/permission-mode.js";
import {
  RECORD_WITHIN_MS,
  AutoDecider,
  type AutoDecision,
} from "../../../../../../src/worker/integrations/acp/permission/auto-decider.js";

/** An allow list of a folder that this machine does not have. */
function listed() {
  const records: AutoDecision[] = [];
  const unasked = new AutoDecider({
    policy: { mode: "allowlist", allowlist: [parseAllowRule("path:/srv-none/api/**")] },
    record: (decision) => Promise.resolve(records.push(decision)),
    clock: new ManualClock(),
    onAnswered: () => undefined,
  });
  const allows = async (toolCall: object): Promise<boolean> => {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const request = readPermissionRequest(
      { options, toolCall: { toolCallId: "1", ...toolCall } },
      () => undefined,
    );
    const answer = request && (await unasked.answer(request, "/srv-none/api"));
    expect(records).toHaveLength(answer ? 1 : 0);
    return answer?.kind === "allow";
  };
  return allows;
}

const locations = [{ path: "/srv-none/api/a.ts" }];

describe("a folder in the allow list", () => {
  it("lets its files be edited", async () => {
    expect(await listed()({ kind: "edit", locations })).toBe(true);
    expect(await listed()({ kind: "edit", locations: [{ path: "src/b.ts" }] })).toBe(true);
  });

  it("lets no command run, wherever it says that it runs", async () =>
    expect(await listed()({ kind: "execute", locations, rawInput: { command: "rm -rf /" } })).toBe(false));

  it("lets no file be changed elsewhere, whatever the call gives as its place", async () => {
    const content = [{ type: "diff", path: "/etc/passwd", oldText: "", newText: "x" }];
    expect(await listed()({ kind: "edit", locations, content })).toBe(false);
    expect(await listed()({ kind: "edit", locations: [{ path: "../../etc/passwd" }] })).toBe(false);
  });
});

describe("a call that its agent changed after it was judged", () => {
  it("is refused, and the record says so after the one of the permission", async () => {
    const records: AutoDecision[] = [];
    const decider = new AutoDecider({
      policy: { mode: "auto_approve", allowlist: [] },
      record: (decision) => Promise.resolve(records.push(decision)),
      clock: new ManualClock(),
      onAnswered: () => undefined,
    });
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const toolCall = { toolCallId: "1", kind: "execute", title: "npm test" };
    const request = readPermissionRequest({ options, toolCall }, () => undefined);
    expect(request && (await decider.answer(request, "/srv", () => true))).toMatchObject({ kind: "deny" });
    expect(records).toMatchObject([{ allowed: true }, { allowed: false, rule: "changed meanwhile" }]);
    expect(decider.history).toMatchObject([{ allowed: false }]);
  });
});

describe("a mode's own answer, while no hub is there", () => {
  /** A hub that takes records once it is `up`, and not at all for whoever has given up. */
  function cold(mode: PermissionMode) {
    const clock = new ManualClock();
    const records: AutoDecision[] = [];
    const waiting: (() => void)[] = [];
    const lines: string[] = [];
    const unasked = new AutoDecider({
      policy: { mode, allowlist: [parseAllowRule("kind:edit")] },
      clock,
      record: (decision, giveUp) =>
        new Promise<void>((resolve, reject) => {
          giveUp?.addEventListener("abort", () => reject(new Error("no hub came in time")));
          waiting.push(() => {
            if (giveUp?.aborted) return;
            records.push(decision);
            resolve();
          });
        }),
      onAnswered: (line) => lines.push(line),
    });
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const toolCall = { toolCallId: "1", kind: "edit", title: "Edit a.ts" };
    const request = readPermissionRequest({ options, toolCall }, () => undefined)!;
    const up = (): void => {
      for (const record of waiting.splice(0)) record();
    };
    return { clock, records, lines, up, answer: () => unasked.answer(request, "/srv") };
  }

  it("is a refusal at once under deny_all, and on record as soon as there is a hub", async () => {
    const { answer, records, up } = cold("deny_all");
    expect(await answer()).toEqual({ kind: "deny", rule: "deny_all" });
    expect(records).toEqual([]);
    up();
    expect(records).toMatchObject([{ mode: "deny_all", allowed: false }]);
  });

  it.each(["auto_approve", "allowlist"] as const)(
    "waits under %s for a hub that comes up, and allows what is on record then",
    async (mode) => {
      const { answer, clock, records, up } = cold(mode);
      const answered = answer();
      await new Promise(setImmediate);
      clock.advance(RECORD_WITHIN_MS - 1);
      up();
      expect(await answered).toMatchObject({ kind: "allow" });
      expect(records).toMatchObject([{ mode, allowed: true }]);
    },
  );

  it.each(["auto_approve", "allowlist"] as const)(
    "is a refusal under %s when no hub comes in time, and no record says otherwise later",
    async (mode) => {
      const { answer, clock, records, lines, up } = cold(mode);
      const answered = answer();
      await new Promise(setImmediate);
      clock.advance(RECORD_WITHIN_MS);
      expect(await answered).toMatchObject({ kind: "deny" });
      up();
      expect(records).toMatchObject([{ mode, allowed: false }]);
      expect(lines).toEqual(["✗ refused: no hub could record the permission: Edit a.ts"]);
    },
  );
});
