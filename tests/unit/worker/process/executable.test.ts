/** The executable of a tool is found along PATH as execvp finds it, and an error says why none can be started. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { findExecutable } from "../../../../src/worker/process/executable.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "executable-"));
  mkdirSync(join(folder, "first", "tool"), { recursive: true });
  mkdirSync(join(folder, "second"));
  program("second/tool", "#!/bin/sh\n");
  program("second/plain", "#!/bin/sh\n", 0o644);
  program("second/orphan", "#!/no/such/interpreter -x\n");
  program("here", "#! /bin/sh\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

function program(path: string, content: string, mode = 0o755): void {
  writeFileSync(join(folder, path), content);
  chmodSync(join(folder, path), mode);
}

function find(name: string, path = `first${delimiter}second`) {
  return findExecutable(name, { path, cwd: folder });
}

function readCode(name: string, path?: string): string {
  try {
    return find(name, path);
  } catch (error) {
    return error instanceof AtlasBridgeError ? error.code : "other";
  }
}

describe("finding the executable", () => {
  it("takes the first executable file along PATH and passes folders by", () => {
    expect(find("tool")).toBe(join(folder, "second", "tool"));
  });

  it("does not search PATH for a name with a slash, and starts it from the working directory", () => {
    expect(find("./here", "")).toBe(join(folder, "here"));
    expect(find(join(folder, "here"), "")).toBe(join(folder, "here"));
    expect(readCode("./tool")).toBe("ATB_TOOL_NOT_FOUND");
  });

  it("passes by what is in PATH and is no folder", () => {
    expect(find("tool", `here${delimiter}second`)).toBe(join(folder, "second", "tool"));
    expect(readCode("missing", `here${delimiter}second`)).toBe("ATB_TOOL_NOT_FOUND");
  });

  it("takes an empty entry of PATH for the working directory, as execvp does", () => {
    expect(find("here", delimiter)).toBe(join(folder, "here"));
  });

  it("searches the system's folders when there is no PATH", () => {
    expect(findExecutable("sh", { path: undefined, cwd: folder })).toMatch(/^\/(usr\/)?bin\/sh$/);
  });

  it.each(["nothing", "", "no/such/file"])("says that %j was not found", (name) => {
    expect(readCode(name)).toBe("ATB_TOOL_NOT_FOUND");
  });

  it("says that a file without the right to execute, a folder, or a script without its interpreter cannot be started", () => {
    expect(readCode("plain")).toBe("ATB_TOOL_START_FAILED");
    expect(readCode("./first")).toBe("ATB_TOOL_START_FAILED");
    expect(readCode("orphan")).toBe("ATB_TOOL_START_FAILED");
    expect(() => find("orphan")).toThrow("/no/such/interpreter");
  });
});
