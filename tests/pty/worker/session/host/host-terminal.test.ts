/**
 * A run carries all bytes between the user's terminal or pipes and the tool unchanged, and restores the user's terminal after
 * every end.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TtyFacts } from "../../../../../src/worker/process/facts/tty-facts.js";
import type { Terminal } from "../../../../../src/worker/process/terminal.js";
import { isAlive, runAround } from "../../../../support/rig/processes.js";
import { buildJoined } from "../../../support/build-joined.js";
import { Collector, pattern, start, until } from "../../../support/tools.js";

let joined: readonly string[] = [];
const folder = mkdtempSync(join(tmpdir(), "host-"));
beforeAll(() => void (joined = buildJoined()));
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(joined[1]!);
});

const shell = (script: string, ...args: string[]) => [...joined, "sh", "-c", script, "sh", ...args];

/** A user's terminal whose mode survives the worker, as a shell's does: what is printed last is the mode that was left. */
function underShell(command: readonly string[]): Terminal {
  return start(["sh", "-c", '"$@"; echo "<$?>"; stty -a', "sh", ...command]);
}

/** The settings that a shell would find afterwards. */
const isCooked = (text: string) =>
  ["icanon", "echo", "isig", "opost"].every((mode) => new RegExp(`[ \\n]${mode}[ ;\\r]`).test(text));

describe("a tool between two terminals", () => {
  it("sends its bytes through untouched, bare line feeds and broken characters too", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const path = join(folder, "bytes");
    writeFileSync(path, bytes);
    const outer = start(shell('stty raw; printf "["; cat "$1"; printf "]"', path));
    const output = new Collector(outer);
    await outer.exited;
    expect(output.bytes.equals(Buffer.concat([Buffer.from("["), bytes, Buffer.from("]")]))).toBe(true);
  });

  it("gets the user's bytes untouched, the keys that end programs too", async () => {
    const outer = start(shell("stty raw -echo; printf ready; dd bs=1 count=8 2>/dev/null | od -An -tx1"));
    const output = new Collector(outer);
    await output.until(/ready/);
    await outer.write(Buffer.from([0x03, 0x1c, 0x1a, 0x11, 0x13, 0x0d, 0x1b, 0xff]));
    await outer.exited;
    expect(output.text).toContain("03 1c 1a 11 13 0d 1b ff");
  });

  it("lets a megabyte through whole", async () => {
    const bytes = pattern(1024 * 1024);
    const path = join(folder, "megabyte");
    writeFileSync(path, bytes);
    const outer = start(shell('stty raw; cat "$1"', path));
    const output = new Collector(outer);
    await outer.exited;
    expect(output.bytes.equals(bytes)).toBe(true);
  });

  it("has the size of the user's terminal, now and later", async () => {
    const script = "trap 'stty size; exit' WINCH; stty size; echo ready; while :; do sleep 0.05; done";
    const outer = start(shell(script), { size: { cols: 97, rows: 31 } });
    const output = new Collector(outer);
    await output.until(/ready/);
    outer.resize({ cols: 133, rows: 44 });
    await outer.exited;
    expect(output.text).toContain("31 97");
    expect(output.text).toContain("44 133");
  });

  it("does not stop the worker when the user's terminal takes nothing", async () => {
    const path = join(folder, "heard");
    const script = 'stty raw -echo; head -c 400000 /dev/zero & dd bs=1 count=1 of="$1" 2>/dev/null; wait';
    const outer = start(shell(script, path));
    const output = new Collector(outer);
    await output.until((text) => text.length > 0);
    outer.pause();
    await new Promise((resolve) => setTimeout(resolve, 200)); // Until every buffer on the way is full.
    await outer.write(Buffer.from("x"));
    await until(() => existsSync(path) && readFileSync(path, "utf8") === "x");
    expect(output.bytes.length).toBeLessThan(400_000);
    outer.resume();
    await outer.exited;
    expect(output.bytes.length).toBe(400_000);
  });
});

describe("the user's terminal afterwards", () => {
  it("is as before when the tool ended, with the tool's exit code", async () => {
    const outer = underShell(shell("stty raw; exit 7"));
    const output = new Collector(outer);
    await outer.exited;
    expect(output.text).toContain("<7>");
    expect(isCooked(output.text)).toBe(true);
  });

  it("was raw meanwhile", async () => {
    const outer = underShell(shell("echo ready; read line"));
    const output = new Collector(outer);
    await output.until(/ready/);
    expect(await new TtyFacts(outer).read()).toMatchObject({ canonical: false, echo: false });
    await outer.write(Buffer.from("\r"));
    await outer.exited;
    expect(isCooked(output.text)).toBe(true);
  });

  it.each(["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const)("is as before after %s", async (signal) => {
    const pidFile = join(folder, `pid-${signal}`);
    const outer = underShell(shell('echo $$ > "$1"; echo ready; exec sleep 30', pidFile));
    const output = new Collector(outer);
    await output.until(/ready/);
    process.kill(runAround(Number(readFileSync(pidFile, "utf8")))!, signal);
    await outer.exited;
    expect(output.text).toMatch(/<1\d\d>/);
    expect(isCooked(output.text)).toBe(true);
  });

  it("is as before after a crash of ours", async () => {
    const outer = underShell(shell("echo ready; exec sleep 30"));
    const output = new Collector(outer);
    await output.until(/ready/);
    await outer.write(Buffer.from("\x18"));
    await outer.exited;
    expect(output.text).toContain("a bug in the worker");
    expect(isCooked(output.text)).toBe(true);
  });

  it("ends the tool when it is closed", async () => {
    const pidFile = join(folder, "pid-tool");
    const outer = start(shell('echo $$ > "$1"; echo ready; exec sleep 30', pidFile));
    await new Collector(outer).until(/ready/);
    outer.close();
    await outer.exited;
    const pid = Number(readFileSync(pidFile, "utf8"));
    await until(() => !isAlive(pid));
  });
});

describe("pipes in place of a terminal", () => {
  async function piped(script: string, input: string | null) {
    const [file = "", ...args] = shell(script);
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    if (input !== null) child.stdin.end(input);
    const [code] = (await once(child, "close")) as [number];
    child.stdin.destroy();
    return { code, output: Buffer.concat(output).toString() };
  }

  it("give the tool a terminal of a fixed size", async () => {
    const { output, code } = await piped("stty size; [ -t 0 ] && exit 5", null);
    expect(output).toBe("50 120\r\n");
    expect(code).toBe(5);
  });

  it("pass the end of the input on once, so that later prompts can be answered from elsewhere", async () => {
    const script = "stty -echo; cat; exec bash -c 'read -rt 0.5; echo \"status $?\"'";
    const { output } = await piped(script, "one\ntwo\n");
    const timedOut = 142;
    // The input may come before its echo is off, and then stands there twice.
    expect(output).toContain(`one\r\ntwo\r\nstatus ${timedOut}\r\n`);
  });

  it("pass the end of the input on after an unfinished line too", async () => {
    expect((await piped("stty -echo; cat; echo end", "abc")).output).toContain("abcend");
  });

  it("hold back an input that the tool does not read yet, and lose nothing of it", async () => {
    const lines = Array.from({ length: 20_000 }, (_, number) => `line ${number}\n`).join("");
    const { output } = await piped("stty -echo; sleep 0.3; wc -lc", lines);
    expect(output.trim().split(/\s+/).slice(-2)).toEqual(["20000", String(lines.length)]);
  });

  it("end the tool when nobody reads its output any more", async () => {
    const [file = "", ...args] = shell("trap 'exit 3' HUP; while :; do echo more; done");
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"] });
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = (await once(child, "close")) as [number];
    expect(code).not.toBe(0);
  });
});
