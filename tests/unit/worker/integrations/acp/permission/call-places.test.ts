/**
 * The places of a call are read from its locations and its diffs, with every link and `..` resolved. They count as unknown where
 * one cannot be read or followed.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolvePlaces } from "../../../../../../src/worker/integrations/acp/permission/call-places.js";
import { mergeToolCall } from "../../../../../../src/worker/runtimes/protocol/tool-call.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "places-")));
const project = join(root, "project");

beforeAll(() => {
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(root, "other", "deep"), { recursive: true });
  writeFileSync(join(project, "src", "a.ts"), "");
  symlinkSync(join(root, "other", "deep"), join(project, "link"));
  symlinkSync(join(root, "other", "new"), join(project, "nowhere"));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Told {
  readonly kind?: string | null;
  readonly locations?: readonly unknown[];
  readonly content?: readonly object[];
  readonly rawInput?: unknown;
}

const placesIn = async ({ kind = "edit", ...told }: Told): Promise<readonly string[] | null> => {
  const call = mergeToolCall({ toolCallId: "1", title: "Edit a.ts", kind, ...told }, undefined);
  if (!call) throw new Error("it names no call");
  return resolvePlaces(call, project);
};

const at = (...paths: readonly string[]) => paths.map((path) => ({ path, line: 3 }));
const A = join(project, "src/a.ts");
const diff = (path: string) => ({ type: "diff", path, oldText: "", newText: "x" });
const changing = (...changes: readonly unknown[]) => ({ type: "diff", changes });

describe("the places of a call", () => {
  it.each<[string, Told, readonly string[]]>([
    ["its locations", { locations: at(A) }, [A]],
    ["a relative one, from where the agent works", { locations: at("src/a.ts") }, [A]],
    ["one with ..", { locations: at("src/../../secret") }, [join(root, "secret")]],
    ["the file of each diff", { locations: at(A), content: [diff("/etc/passwd")] }, [A, "/etc/passwd"]],
    ["a diff's alone", { content: [diff(A)] }, [A]],
    [
      "all that changes in a diff of version 2",
      { content: [changing({ operation: "move", oldPath: A, path: "/etc/b" }, { path: "/etc/c" })] },
      ["/etc/b", A, "/etc/c"],
    ],
    [
      "what its input names beside its location",
      { kind: "delete", locations: at(A), rawInput: { path: "/etc/passwd" } },
      [A, "/etc/passwd"],
    ],
    [
      "what its input names in any depth and under any key",
      {
        locations: at(A),
        rawInput: {
          file_path: "src/b.ts",
          fileName: "../c",
          content: "/etc/no-path",
          also: [{ to: "/etc/d" }],
          odd: "/etc/e",
          changes: { "/etc/f": { add: "x" } },
        },
      },
      [A, join(project, "src/b.ts"), join(root, "c"), "/etc/d", "/etc/e", "/etc/f"],
    ],
    ["its input's alone", { rawInput: { file_path: A, content: "x" } }, [A]],
    ["both ends of a move", { kind: "move", locations: at(A, "/etc/b") }, [A, "/etc/b"]],
    [
      "a link, and where it leads",
      { locations: at("link/x.ts") },
      [join(project, "link/x.ts"), join(root, "other/deep/x.ts")],
    ],
    [
      "what .. is behind a link, for the reader and for the system",
      { locations: at("link/../x.ts") },
      [join(project, "x.ts"), join(root, "other/x.ts")],
    ],
    ["what is not there yet", { locations: at("src/new/b.ts") }, [join(project, "src/new/b.ts")]],
  ])("are %s", async (_, told, places) => {
    expect(new Set(await placesIn(told))).toEqual(new Set(places));
  });

  it.each<[string, Told]>([
    ["of a command", { kind: "execute", locations: at(A) }],
    ["of a tool of no known kind", { kind: null, locations: at(A) }],
    ["of a kind that is newer than we are", { kind: "format", locations: at(A) }],
    ["of a call that names none", { locations: [] }],
    ["of one with a location that has no path", { locations: [...at(A), { line: 3 }] }],
    ["of one with a location that is none", { locations: [...at(A), "/etc/passwd"] }],
    ["of a diff of nothing", { locations: at(A), content: [changing()] }],
    ["of a diff of what has no path", { locations: at(A), content: [changing({ path: A }, { file: "b" })] }],
    [
      "of a diff with changes that are no list",
      { locations: at(A), content: [{ type: "diff", changes: {} }] },
    ],
    [
      "of a call that shows a terminal",
      { locations: at(A), content: [{ type: "terminal", terminalId: "t" }] },
    ],
    ["of a move that names one end", { kind: "move", locations: at(A) }],
    ["of a URL in its input", { locations: at(A), rawInput: { uri: "file:///etc/passwd" } }],
    ["of a home in its input", { locations: at(A), rawInput: { path: "~/.ssh/id_ed25519" } }],
    ["of a home, a variable or a URL", { locations: at("~/.ssh/id_ed25519") }],
    ["of a variable", { locations: at("$HOME/.ssh/id_ed25519") }],
    ["of a URL", { locations: at("file:///etc/passwd") }],
    ["behind a link that leads nowhere yet", { locations: at("nowhere") }],
    ["of a name that is none", { locations: at("src/\u0000") }],
    [
      "of more files than are looked up",
      { locations: at(...Array.from({ length: 101 }, (_, n) => `${A}${n}`)) },
    ],
  ])("%s are not known", async (_, told) => {
    expect(await placesIn(told)).toBeNull();
  });
});
