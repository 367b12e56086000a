/** `send` in scripts: in pipelines, with exit codes that a shell and make act upon, and with several callers at once. */
import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, finished, MAIN, type Finished } from "../support/hub-home.js";
import { Rig } from "../support/rig/rig.js";
import { notInstalled, skipped } from "../support/skipped.js";

let rig: Rig;
let folder: string;

beforeAll(async () => {
  rig = await Rig.start();
  const bin = join(rig.home.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "atlasbridge"), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(join(bin, "atlasbridge"), 0o700);
  Object.assign(rig.home.env, { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` });
  rig.run(["bash", "--norc"], { label: "work", flags: ["--console"] });
  await eventually(async () => (await rig.home.run("send", "work", "--", "true")).code === 0);
});
afterAll(() => rig.close());

beforeEach(async () => {
  folder = join(rig.home.folder, "script");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await rig.home.run("send", "work", "--", `cd ${folder}`);
});

function start(command: string, ...args: string[]) {
  return spawn(command, args, { cwd: folder, env: rig.home.env });
}

const script = (text: string): Promise<Finished> => finished(start("bash", "-c", text));
const write = (name: string, text: string | Buffer): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("a shell's script", () => {
  it("sorts and cuts the output", async () => {
    write("data", "pear\napple\nfig\n");
    expect(await script("atlasbridge send work -- cat data | sort | head -2")).toEqual({
      code: 0,
      stdout: "apple\nfig\n",
      stderr: "",
    });
  });

  it("reads only the beginning of a long output, and nobody complains", async () => {
    expect(await script("atlasbridge send work -- seq 1 100000 | head -1")).toEqual({
      code: 0,
      stdout: "1\n",
      stderr: "",
    });
  });

  it("gets the very bytes with --raw", async () => {
    const line = `a\tb\x1b[31mred\x1b[0m äöü ${"x".repeat(300)}\n`;
    const data = Buffer.from(line.repeat(2_000));
    write("data.bin", data);
    const { stdout } = await script("atlasbridge send work --raw -- cat data.bin | sha256sum");
    expect(stdout).toBe(`${createHash("sha256").update(data).digest("hex")}  -\n`);
  });

  it("sees the command's exit code: with pipefail, as a condition, and under set -e", async () => {
    const piped = "atlasbridge send work -- '(exit 7)' | cat";
    expect((await script(piped)).code).toBe(0);
    expect((await script(`set -o pipefail; ${piped}`)).code).toBe(7);
    const asked = "if atlasbridge send work -- test -e nothing; then echo there; else echo none; fi";
    expect((await script(asked)).stdout).toBe("none\n");
    expect(await script("set -e; atlasbridge send work -- false; echo never")).toMatchObject({
      code: 1,
      stdout: "",
    });
  });

  it("sends a file, a here-document and another command's output as a block", async () => {
    write("steps.sh", "for n in 1 2\ndo\n  echo step $n\ndone\n(exit 4)\n");
    expect(await script("atlasbridge send work < steps.sh")).toEqual({
      code: 4,
      stdout: "step 1\nstep 2\n",
      stderr: "",
    });
    expect((await script("atlasbridge send work <<'END'\necho one\necho two\nEND")).stdout).toBe(
      "one\ntwo\n",
    );
    expect((await script("printf 'echo %s\\n' a b | atlasbridge send work")).stdout).toBe("a\nb\n");
  });

  it("takes the output into a variable, and loops over a list, of which `send` reads nothing", async () => {
    write("list", "one\ntwo\nthree\n");
    const loop =
      'while read -r each; do got=$(atlasbridge send work -- echo "$each"); echo "<$got>"; done < list';
    expect((await script(loop)).stdout).toBe("<one>\n<two>\n<three>\n");
  });
});

describe.skipIf(skipped(notInstalled("make")))("a Makefile", () => {
  const makefile = (text: string): void => write("Makefile", text.replaceAll("    ", "\t"));
  const TWO = `all: one two
one two:
    atlasbridge send work -- 'until [ -e go ]; do sleep 0.05; done; echo $@ >> log'
`;

  it("goes on after a command that succeeds, and fails with one that fails", async () => {
    makefile("all: test\n    @echo all is well\ntest:\n    @atlasbridge send work -- test -e sound\n");
    expect(await finished(start("make"))).toMatchObject({ code: 2, stdout: "" });
    write("sound", "");
    expect(await finished(start("make"))).toEqual({ code: 0, stdout: "all is well\n", stderr: "" });
  });

  it("with two targets at once runs one of them, and the other fails untyped and says why", async () => {
    makefile(TWO);
    const making = start("make", "--jobs=2", "--keep-going");
    let said = "";
    making.stderr.on("data", (bytes: Buffer) => (said += bytes.toString()));
    const ended = finished(making);
    await eventually(() => said.includes("nothing was typed: another command is still running"));
    write("go", "");
    expect((await ended).code).toBe(2);
    expect(read("log")).toMatch(/^(?:one|two)\n$/);
  });

  it("with .NOTPARALLEL runs both, one after the other", async () => {
    makefile(`.NOTPARALLEL:\n${TWO}`);
    const making = finished(start("make", "--jobs=2"));
    write("go", "");
    expect((await making).code).toBe(0);
    expect(read("log")).toBe("one\ntwo\n");
  });
});
