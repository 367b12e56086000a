/**
 * An agent reads and writes text files only inside its workspace, also through links, within a limit of size, and with the
 * permissions that they had.
 */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemRandom } from "../../../../../../src/observe/random.js";
import {
  FILE_BYTES_MAX,
  readText,
  writeText,
} from "../../../../../../src/worker/integrations/acp/services/files.js";
import { Workspace } from "../../../../../../src/worker/integrations/acp/services/workspace.js";

let outer = "";
let folder = "";
let workspace: Workspace;

beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), "acp-files-")));
  folder = join(outer, "work");
  mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(folder, "ours"));
  writeFileSync(join(outer, "secret"), "out of reach");
  writeFileSync(join(folder, "src/a.txt"), "one\ntwo\nthree\nfour");
  workspace = new Workspace({ folder, offLimits: [join(folder, "ours")] });
});

afterEach(() => rmSync(outer, { recursive: true, force: true }));

const at = (path: string): string => join(folder, path);
const read = (path: string, more: object = {}): string => readText(workspace, { path, ...more }).content;
const write = (path: string, content: unknown = "new"): string =>
  writeText(workspace, systemRandom, { path, content });

describe("a folder that becomes a link after it was looked up", () => {
  it("has nothing written behind the link, nothing left in it, and the agent is told", () => {
    mkdirSync(join(outer, "elsewhere"));
    const short = (length: number): string => {
      renameSync(at("src"), at("moved"));
      symlinkSync(join(outer, "elsewhere"), at("src"));
      return "x".repeat(length);
    };
    const path = at("src/new.txt");
    expect(() => writeText(workspace, { ...systemRandom, short }, { path, content: "new" })).toThrow(
      /became another place/,
    );
    expect(readdirSync(join(outer, "elsewhere"))).toEqual([]);
    expect(readdirSync(at("moved"))).toEqual(["a.txt"]);
  });
});

describe("a text file of the workspace", () => {
  it("is read whole, or so many lines from one on", () => {
    expect(read(at("src/a.txt"))).toBe("one\ntwo\nthree\nfour");
    expect(read(at("src/a.txt"), { line: 2, limit: 2 })).toBe("two\nthree\n");
    expect(read(at("src/a.txt"), { line: 4 })).toBe("four");
    expect(read(at("src/a.txt"), { line: 5 })).toBe("");
    expect(read(at("src/a.txt"), { line: null, limit: 1 })).toBe("one\n");
    expect(read(at("src/a.txt"), { limit: 0 })).toBe("");
  });

  it.each([[{ line: -1 }], [{ line: 1.5 }], [{ limit: "all" }]])("is not read by halves: %j", (more) => {
    expect(() => read(at("src/a.txt"), more)).toThrow(/whole number/);
  });

  it("keeps its byte order mark, and is refused where it is no text", () => {
    writeFileSync(at("bom"), "\ufeffx");
    expect(read(at("bom"))).toBe("\ufeffx");
    writeFileSync(at("binary"), Uint8Array.of(0xff, 0xfe, 0x00));
    expect(() => read(at("binary"))).toThrow(/no UTF-8 text/);
  });

  it("is written whole under its name, with the permissions that it had, and nothing is left beside it", () => {
    chmodSync(at("src/a.txt"), 0o750);
    expect(write(at("src/a.txt"))).toBe(at("src/a.txt"));
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("new");
    expect(statSync(at("src/a.txt")).mode & 0o777).toBe(0o750);
    expect(readdirSync(at("src"))).toEqual(["a.txt"]);
  });

  it("is made where it is not there yet, with its folders", () => {
    write(at("deep/er/b.txt"));
    expect(readFileSync(at("deep/er/b.txt"), "utf8")).toBe("new");
  });

  it("stays the same file under all of its names", () => {
    linkSync(at("src/a.txt"), at("other"));
    write(at("other"), "x");
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("x");
    expect(statSync(at("other")).nlink).toBe(2);
  });

  it("is written through a link that stays in the workspace, and the link stays a link", () => {
    symlinkSync("src/a.txt", at("link"));
    expect(read(at("link"), { limit: 1 })).toBe("one\n");
    expect(write(at("link"))).toBe(at("src/a.txt"));
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("new");
    expect(realpathSync(at("link"))).toBe(at("src/a.txt"));
  });

  it("is refused above its size, both ways", () => {
    writeFileSync(at("big"), Buffer.alloc(FILE_BYTES_MAX + 1, "x"));
    expect(() => read(at("big"))).toThrow(/at most/);
    expect(() => write(at("big"), "x".repeat(FILE_BYTES_MAX + 1))).toThrow(/at most/);
    expect(statSync(at("big")).size).toBe(FILE_BYTES_MAX + 1);
    expect(read(at("big").replace("big", "src/a.txt"))).toContain("one");
  });
});

describe("a path that is no file of the workspace", () => {
  it.each([
    ["a place outside", () => join(outer, "secret")],
    ["a way out by dots", () => at("src/../../secret")],
    ["a file behind a folder that is a link", () => at("out/secret")],
    ["a link to a file outside", () => at("to-secret")],
    ["a new file behind a link", () => at("out/new/file")],
    ["a folder whose name only begins the same", () => join(outer, "work-2/file")],
  ])("is neither read nor written: %s", (_, path) => {
    symlinkSync(outer, at("out"));
    symlinkSync(join(outer, "secret"), at("to-secret"));
    mkdirSync(join(outer, "work-2"));
    expect(() => read(path())).toThrow(/outside of the workspace/);
    expect(() => write(path())).toThrow(/outside of the workspace/);
    expect(readFileSync(join(outer, "secret"), "utf8")).toBe("out of reach");
    expect(readdirSync(outer).sort()).toEqual(["secret", "work", "work-2"]);
  });

  it("is refused in plain words, with the protocol's codes", () => {
    expect(() => read(at("missing"))).toThrow(expect.objectContaining({ code: -32002 }) as Error);
    expect(() => read("src/a.txt")).toThrow(/absolute/);
    expect(() => read(at("a\0b"))).toThrow(/absolute/);
    expect(() => read(at("src"))).toThrow(/no plain file|is a folder/);
    expect(() => write(at("src"))).toThrow(/no plain file/);
    expect(() => write(at("src/a.txt/b"))).toThrow(/no folder/);
    expect(() => write(at("src/a.txt"), 7)).toThrow(/has to be a text/);
    expect(() => write(at("ours/config.yaml"))).toThrow(/belongs to AtlasBridge/);
    expect(existsSync(at("ours/config.yaml"))).toBe(false);
  });

  it("may be a pipe, which would block, or a link that leads nowhere, and is refused", () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(() => read(at("pipe"))).toThrow(/no plain file/);
    expect(() => write(at("pipe"))).toThrow(/no plain file/);
    symlinkSync(join(outer, "not-there"), at("dangling"));
    expect(() => read(at("dangling"))).toThrow(/leads nowhere/);
    expect(() => write(at("dangling"))).toThrow(/no plain file/);
    expect(existsSync(join(outer, "not-there"))).toBe(false);
  });

  it("may be a folder behind a link that leads nowhere, where nothing is made", () => {
    symlinkSync(join(outer, "not-there"), at("dangling"));
    expect(() => write(at("dangling/new/file"))).toThrow();
    expect(existsSync(join(outer, "not-there"))).toBe(false);
  });
});

describe("a place that cannot be followed", () => {
  it("is refused, not taken for one that is not there yet: links in a circle, a name that is too long", () => {
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    for (const path of [at("a"), at("a/new"), at(`${"n".repeat(300)}/new`)]) {
      expect(() => workspace.resolve(path)).toThrow(/leads nowhere|too long/);
      expect(() => read(path)).toThrow(/leads nowhere|too long/);
      expect(() => write(path)).toThrow(/leads nowhere|too long/);
    }
    expect(readdirSync(folder).sort()).toEqual(["a", "b", "ours", "src"]);
  });

  it("is refused where a folder on the way may not be entered", () => {
    const denied = Object.assign(new Error("EACCES"), { code: "EACCES" });
    const follow = vi.spyOn(realpathSync, "native").mockImplementation(() => {
      throw denied;
    });
    try {
      expect(() => workspace.resolve(at("src/new"))).toThrow(/may not be opened/);
      // Our own folders stay ours, by their names.
      expect(new Workspace({ folder, offLimits: [at("ours")] }).folder).toBe(folder);
    } finally {
      follow.mockRestore();
    }
    expect(workspace.resolve(at("src/new"))).toBe(at("src/new"));
  });
});
