/** A printed command starts this program where its reader stands, and no other program of that name. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getOwnName } from "../../../src/cli/own-name.js";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "own-name-"));
  for (const folder of ["clone/dist", "package/dist", "bin", "foreign"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    "clone/atlasbridge",
    "clone/dist/main.js",
    "package/dist/main.js",
    "foreign/atlasbridge",
  ]) {
    writeFileSync(join(root, file), "");
    chmodSync(join(root, file), 0o755);
  }
  symlinkSync(join(root, "package/dist/main.js"), join(root, "bin/atlasbridge"));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Start {
  readonly at: "clone" | "package";
  readonly cwd: string;
  readonly path?: string;
  readonly program?: string;
  readonly byNpm?: boolean;
}

function nameOf({ at, cwd, path = "", program = `${at}/dist/main.js`, byNpm = false }: Start): string {
  const env = { PATH: join(root, path), ...(byNpm && { npm_lifecycle_event: "npx" }) };
  const name = getOwnName({
    cwd: join(root, cwd),
    env,
    program: join(root, program),
    packageRoot: join(root, at),
  });
  return name.replace(root, "ROOT");
}

describe("in a clone", () => {
  it.each([
    ["clone", "./atlasbridge"],
    ["clone/dist", "../atlasbridge"],
    ["package/dist", "../../clone/atlasbridge"],
  ])("from %s it is %s", (cwd, name) => {
    expect(nameOf({ at: "clone", cwd })).toBe(name);
  });

  it("is the script also where another program of that name is on the path", () => {
    expect(nameOf({ at: "clone", cwd: "clone", path: "foreign" })).toBe("./atlasbridge");
  });

  it("is the bare name once a folder of the path has the script", () => {
    symlinkSync(join(root, "clone/atlasbridge"), join(root, "clone/dist/atlasbridge"));
    expect(nameOf({ at: "clone", cwd: "bin", path: "clone/dist" })).toBe("atlasbridge");
  });
});

describe("installed", () => {
  const program = "bin/atlasbridge";

  it("is the bare name where that is this program", () => {
    expect(nameOf({ at: "package", cwd: "clone", path: "bin", program })).toBe("atlasbridge");
  });

  it("is the path of the command where the shell does not find it, or finds another", () => {
    expect(nameOf({ at: "package", cwd: "bin", program })).toBe("./atlasbridge");
    expect(nameOf({ at: "package", cwd: "bin", path: "foreign", program })).toBe("./atlasbridge");
  });

  it("is the path of the command below npx, whose path its caller does not have", () => {
    expect(nameOf({ at: "package", cwd: "bin", path: "bin", program, byNpm: true })).toBe("./atlasbridge");
  });

  it("is run by node where only the file is known", () => {
    expect(nameOf({ at: "package", cwd: "package" })).toBe("node dist/main.js");
  });
});
