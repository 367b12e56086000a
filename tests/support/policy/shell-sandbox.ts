/** A directory in which every program is a stub that records how it was run, and a real shell that runs a line there. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAMS = (
  "git npm ls rm touch curl node python3 env bash sh busybox xargs sudo find cat nohup nice timeout script tail head grep " +
  "gitstatus lsx make tee awk sed perl ssh zsh dash"
).split(" ");

/** Ends a word, and a run, in the record. */
const [WORD_END, RUN_END] = ["\u001e", "\u001d"];

const STUB = `#!/bin/sh
{ printf '%s\\036' "\${0##*/}" "$@"; printf '\\035'; } >> "$RECORD"
`;

export interface ShellRun {
  readonly runs: readonly (readonly string[])[];
  readonly written: readonly string[];
  /** This tells why the shell did not run the line to its end, so that more could have followed; null: it did. */
  readonly brokenOff: string | null;
}

export interface ShellSandbox {
  /** Runs the line, for `limitMs` at most. */
  run(shell: "bash" | "sh", line: string, limitMs: number): ShellRun;
  remove(): void;
}

export function createShellSandbox(): ShellSandbox {
  const root = mkdtempSync(join(tmpdir(), "atb-shell-"));
  const bin = join(root, "bin");
  let lines = 0;
  let work = "";
  mkdirSync(bin);
  for (const program of PROGRAMS) {
    writeFileSync(join(bin, program), STUB);
    chmodSync(join(bin, program), 0o755);
  }
  const fill = (): void => {
    // A new one each time: a program of an earlier line that outlived its time limit goes on writing where it stands.
    work = join(root, `work-${lines}`);
    mkdirSync(join(work, "src"), { recursive: true });
    for (const file of ["a.txt", "-rf", "src/a.txt"]) writeFileSync(join(work, file), "");
    writeFileSync(join(work, "evil.sh"), STUB.replace("{ printf", "{ printf 'evil\\036'; printf"));
    chmodSync(join(work, "evil.sh"), 0o755);
  };
  fill();
  const before = listFiles(work);
  return {
    run: (shell, line, limitMs) => {
      // What an earlier line left running writes to a record of its own.
      const record = join(root, `record-${(lines += 1)}`);
      writeFileSync(record, "");
      // Nothing of the machine is within reach of the path. The fourth descriptor is inherited by the line's background jobs, so the
      // call returns only when the last of them has ended.
      const { error, signal } = spawnSync(`/bin/${shell}`, ["-c", line], {
        cwd: work,
        env: { PATH: bin, HOME: work, RECORD: record },
        input: "",
        timeout: limitMs,
        killSignal: "SIGKILL",
        stdio: ["pipe", "ignore", "ignore", "pipe"],
      });
      const runs = readFileSync(record, "utf8")
        .split(RUN_END)
        .filter((each) => each !== "")
        .map((each) => each.split(WORD_END).slice(0, -1));
      const written = listFiles(work).filter((file) => !before.includes(file));
      const brokenOff = error?.message ?? signal;
      if (written.length > 0 || brokenOff !== null) fill();
      return { runs, written, brokenOff };
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true }).map(String).sort();
}
