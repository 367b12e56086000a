/**
 * A run works with pipes, files or closed streams in place of a terminal, in a pipeline, in a terminal of type dumb, and in tmux.
 * The tool has a terminal in each case.
 */
import { makeFileFolder } from "../../support/temporary-folder.js";
import { execFileSync, spawn, type StdioOptions } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Collector, environment, start } from "../support/tools.js";
import { noise } from "./support/sequences.js";
import { noShell, RUN, RUN_ARGUMENTS, withWindow } from "./support/shell-window.js";
import { skipped } from "../../support/skipped.js";
import { waitFor } from "../../support/wait-for.js";

const folder = makeFileFolder("no-terminal");

interface Ended {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

interface Piped {
  readonly input?: string | Buffer;
  readonly stdio?: StdioOptions;
  readonly env?: Readonly<Record<string, string>>;
}

/** A session of its own and no terminal anywhere: as cron, systemd or a CI runner start things. */
function detached(script: string, { input, stdio, env }: Piped = {}): Promise<Ended> {
  const [file, ...args] = [...RUN_ARGUMENTS, "sh", "-c", script];
  const child = spawn(file, args, {
    stdio: stdio ?? ["pipe", "pipe", "pipe"],
    detached: true,
    env: { ...environment(), ...env },
  });
  const out: Buffer[] = [];
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  if (input !== undefined) child.stdin?.end(input);
  return new Promise((resolve) =>
    child.once("close", (code) => {
      child.stdin?.destroy();
      resolve({ code, out: Buffer.concat(out), err });
    }),
  );
}

describe.concurrent("a run without any terminal", () => {
  it("a tool has a terminal of ours that is large enough, and its exit code is passed on", async () => {
    const { code, out, err } = await detached("[ -t 0 ] && [ -t 1 ] && stty size && tty < /dev/tty; exit 4");
    expect(out.toString()).toMatch(/^50 120\r\n\/dev\/(pts\/\d+|tty)\r\n$/);
    expect([code, err]).toEqual([4, ""]);
  });

  it("queries of the tool to its terminal are answered by ours, so it does not hang", async () => {
    const ask = String.raw`stty raw -echo; printf "\033[6n\033[c"; dd bs=1 count=6 2>/dev/null; printf "\r\nthrough"`;
    expect((await detached(ask)).out.toString()).toMatch(/\x1b\[\d+;\d+R[^]*through/);
  });

  it("bytes come out as they are, through a pipe too", async () => {
    const file = join(folder, "noise");
    writeFileSync(file, noise(300_000, 11));
    const { out } = await detached(`stty raw; cat ${file}`);
    expect(out.equals(readFileSync(file))).toBe(true);
  });

  it.each([
    ["a pipe that ends", { input: "one\ntwo\n" }, "one\r\ntwo\r\n"],
    ["an empty pipe", { input: "" }, ""],
    ["/dev/null", { stdio: ["ignore", "pipe", "pipe"] as StdioOptions }, ""],
  ])("a tool that reads %s to its end gets there", async (_, piped, expected) => {
    const { code, out } = await detached("stty -echo; cat; exit 3", piped);
    expect([out.toString(), code]).toEqual([expected, 3]);
  });

  it("a run works although nobody reads its output or writes its input", async () => {
    const nothing = openSync(devNull, "r+");
    const file = join(folder, "wrote");
    const { code } = await detached(`echo lost; echo found > ${file}; exit 6`, {
      stdio: [nothing, nothing, nothing],
    });
    closeSync(nothing);
    expect([code, readFileSync(file, "utf8")]).toEqual([6, "found\n"]);
  });

  it("a run works although its standard streams are closed", async () => {
    const shell = [
      "-c",
      `"$@" <&- >&- 2>&-; echo "code $?"`,
      "sh",
      ...RUN_ARGUMENTS,
      "sh",
      "-c",
      "echo lost; exit 6",
    ];
    const child = spawn("sh", shell, { stdio: ["ignore", "pipe", "inherit"], env: environment() });
    const output = new Promise<string>((resolve) => {
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
    });
    expect(await output).toBe("code 6\n");
  });
});

describe.skipIf(skipped(noShell)).concurrent("in a pipeline of the user's shell", () => {
  // What a terminal makes of a line feed goes down the pipe too, as with script(1); the shell's terminal adds its own.
  it("output goes down the pipe, keys still come from the terminal", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'echo ready >/dev/tty; read -r a; echo "got $a"' | sed 's/got/piped/'`);
      await window.until(/ready\r\r\n/);
      window.enter("word");
      await window.until(/piped word\r\r\n/);
      await window.prompt(0);
    }));

  it("input comes down the pipe, output still goes to the terminal, and Ctrl-C ends it", () =>
    withWindow(async (window) => {
      // The interrupt also ends the writer, so the tool reads no more; it starts no command, because dash loses an interrupt at that.
      window.enter(`(echo word; sleep 60) | ${RUN} sh -c 'read -r a; echo "got $a"; exec sleep 60'`);
      await window.until(/got word\r\n/);
      window.type("\x03");
      await window.prompt(130);
    }));

  it("a reader that closes the pipe ends the run", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} yes | head -n 3 | wc -l`);
      await window.until(/\n3\r\n/);
      await window.prompt(0);
    }));
});

describe.concurrent("a terminal of the user", () => {
  it("of type dumb keeps its type for the tool, and nothing of ours is drawn", async () => {
    const env = { ...environment(), TERM: "dumb" };
    const outer = start([...RUN_ARGUMENTS.filter((word) => word !== "--quiet"), "sh", "-c", "echo $TERM"], {
      env,
    });
    const output = new Collector(outer);
    await outer.exited;
    expect(output.text).toMatch(/^atlasbridge: [ -~·\x80-\xff]*\r\ndumb\r\n$/);
  });

  const tmux = ["/usr/bin/tmux", "/usr/local/bin/tmux"].find((file) => existsSync(file));
  it.skipIf(skipped(tmux ? null : "there is no tmux"))(
    "inside tmux shows output, takes keys, and leaves the pane as it was",
    async () => {
      const socket = join(folder, "tmux");
      const at = (...args: string[]) =>
        execFileSync(tmux!, ["-S", socket, "-f", devNull, ...args], {
          encoding: "utf8",
          env: { ...environment(), PS1: "$ " },
        });
      const shows = (pattern: RegExp) => waitFor(() => expect(at("capture-pane", "-p")).toMatch(pattern));
      try {
        at("new-session", "-d", "-x", "90", "-y", "20", "sh");
        await shows(/[$#]/);
        at("send-keys", `${RUN} sh -c 'stty size; echo "in $TERM"; read -r a; echo "got $a"'`, "Enter");
        await shows(/^20 90\n+in (screen|tmux)/m);
        at("send-keys", "word", "Enter");
        await shows(/^got word\n+[$#]/m);
        at("send-keys", "stty -a | grep -c -- ' icanon'", "Enter");
        await shows(/^1$/m);
      } finally {
        at("kill-server");
      }
    },
  );
});
