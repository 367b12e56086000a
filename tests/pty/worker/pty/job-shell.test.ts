/**
 * A tool under the shell that keeps its jobs finds signals, descriptors, foreground and exit as it does without that shell (ADR
 * 8), with each known shell of this machine.
 */
import { makeFileFolder } from "../../../support/temporary-folder.js";
import { closeSync, existsSync, mkdirSync, openSync, readSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isProcessStopped } from "../../../../src/observe/process-life.js";
import { hasJobShell, wrapInJobShell } from "../../../../src/worker/pty/job-shell.js";
import { loadPty } from "../../../../src/worker/pty/pty-native.js";
import { until } from "../../support/tools.js";
import { notLinux, skipped } from "../../../support/skipped.js";

const folder = makeFileFolder("job-shell");

const SHELLS = ["/bin/dash", "/bin/bash", "/bin/busybox"].filter((file) => existsSync(file));

/** Each as `sh`, for that is how it is started. */
function named(shell: string): string {
  const place = join(folder, shell.slice("/bin/".length));
  if (!existsSync(place)) {
    mkdirSync(place);
    symlinkSync(shell, join(place, "sh"));
  }
  return join(place, "sh");
}

const ODD = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nowhere",
  TWO_LINES: "a\nb 'c' \"d\" $e `f` \\",
  PWD: "/wrong",
  IFS: ",",
  PPID: "7",
  LINENO: "5",
  OPTIND: "9",
  PS1: "p> ",
  PS4: "+ ",
  SHELLOPTS: "xtrace",
  BASHOPTS: "extglob",
  BASH_ENV: "/does/not/exist",
  ENV: "/does/not/exist",
  "BASH_FUNC_kill%%": "() {  echo hijacked\n}",
  UID: "12",
  LINES: "3",
};

interface Ended {
  readonly text: string;
  readonly exitCode: number;
  readonly signal: number;
}

interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

/** Under the shell, or bare: nothing is added to the environment, as the runtime of node-pty would. */
function startIn(shell: string | null, command: readonly string[], env: Record<string, string>): Started {
  const bare = { file: command[0]!, args: command.slice(1), env };
  const start = shell === null ? bare : wrapInJobShell({ command, env, modes: null }, named(shell))!;
  const entries = Object.entries(start.env).map((entry) => entry.join("="));
  const { native, helperPath } = loadPty();
  let onExit: (code: number, signal: number) => void = () => undefined;
  const exit = new Promise<Omit<Ended, "text">>(
    (resolve) => (onExit = (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const { fd, pid, pty } = native.fork(
    start.file,
    start.args,
    entries,
    folder,
    200,
    24,
    -1,
    -1,
    true,
    helperPath,
    (code, signal) => onExit(code, signal),
  );
  const hold = openSync(pty, "r+"); // Else the end of the output is lost (ADR 2).
  const ended = exit.then((how) => {
    const text = readAll(fd);
    closeSync(fd);
    closeSync(hold);
    return { text, ...how };
  });
  return { pid, ended };
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(64 * 1024);
  for (let length = 0; ;) {
    try {
      length += readSync(fd, bytes, length, bytes.length - length, null);
    } catch {
      return bytes.toString("utf8", 0, length);
    }
  }
}

const run = (shell: string | null, command: readonly string[], env: Record<string, string>) =>
  startIn(shell, command, env).ended;

describe.skipIf(skipped(notLinux))("under a job shell", () => {
  it("the shell of this machine is a known one, or none is used", () => {
    if (!hasJobShell()) console.log("skipped: /bin/sh is none of the shells that were measured");
    expect(SHELLS.length).toBeGreaterThan(0);
  });

  describe.each(SHELLS)("%s a tool finds", (shell) => {
    it.each([
      ["an odd environment", ODD],
      ["hardly any environment", { PATH: ODD.PATH }],
    ])("%s as it is", async (_, env) => {
      const sorted = ({ text }: Ended) => text.split("\0").sort();
      const found = sorted(await run(shell, ["env", "-0"], env));
      expect(found).toEqual(sorted(await run(null, ["env", "-0"], env)));
      expect(found.length).toBeGreaterThan(1);
    });

    it("its signals and descriptors as they are", async () => {
      const command = [
        "sh",
        "-c",
        "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd | tr '\\n' ' '; tty",
      ];
      const pattern = /pts\/\d+/;
      const { text } = await run(shell, command, { PATH: ODD.PATH });
      const bare = await run(null, command, { PATH: ODD.PATH });
      expect(text.replace(pattern, "")).toBe(bare.text.replace(pattern, ""));
    });

    it("itself in the foreground, leader of a group of its own", async () => {
      const { text } = await run(shell, ["cat", "/proc/self/stat"], { PATH: ODD.PATH });
      const [pid, , , , group, , , foreground] = text.split(" ").map(Number);
      expect([group, foreground]).toEqual([pid, pid]);
    });

    it.each([
      ["exit 0", 0],
      ["exit 148", 148],
      ["kill -TERM $$", 143],
      ["kill -KILL $$", 137],
    ])("its end told: %s", async (script, code) => {
      const { exitCode, text } = await run(shell, ["sh", "-c", script], { PATH: ODD.PATH });
      expect([exitCode, text]).toEqual([code, ""]);
    });

    it("itself stopped and continued, again and again, with nothing else on the terminal", async () => {
      const script = "echo 1; kill -STOP $$; echo 2; kill -TSTP $$; echo 3; kill -STOP $$; exit 5";
      const { pid, ended } = startIn(shell, ["sh", "-c", script], { PATH: ODD.PATH });
      for (let stop = 0; stop < 3; stop++) {
        await until(() => isProcessStopped(pid));
        process.kill(pid, "SIGCONT");
      }
      expect(await ended).toEqual({ text: "1\r\n2\r\n3\r\n", exitCode: 5, signal: 0 });
    });
  });
});
