/** A run leaves exit code, signals, size and arguments of its tool as they are. It says at its start, in one line, where prompts go. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, MAIN } from "../support/hub-home.js";
import { listProcesses } from "../support/rig/processes.js";
import { Replay } from "../support/rig/replay.js";
import type { Run } from "../support/rig/run.js";
import { type Rig, withRig } from "../support/rig/rig.js";

describe.concurrent("what a run leaves to its tool", () => {
  it.each([
    ["its exit code", "exit 7", 7],
    ["success", "exit 0", 0],
    ["SIGTERM from elsewhere", "kill -TERM $$", 128 + 15],
    ["SIGKILL from elsewhere", "kill -KILL $$", 128 + 9],
    ["the size of the terminal", '[ "$(stty size)" = "40 120" ]', 0],
    ["arguments as they were typed", '[ "$1" = "--label" ] && [ "$2" = "a  b" ]', 0],
  ])("%s", (_, script, code) =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", script, "sh", "--label", "a  b"], { flags: ["--no-relay"] });
      expect(await run.exited).toBe(code);
    }),
  );

  it("a mode that asks, with --ask", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { flags: ["--ask"], args: [] });
      await replay.run.card();
      expect(replay.events[0]?.args).toEqual(["--permission-mode", "manual"]);
    }));
});

/** A shell that has the terminal before and afterwards, and says what came out. */
function runInShell(rig: Rig, args: string): Run {
  return rig.start(["sh", "-c", `${process.execPath} ${MAIN} ${args}; echo "exit $?"; read -r enough`]);
}

describe.concurrent("the line that a run writes at its start", () => {
  it("says where prompts go, and is the only text of ours on the terminal", () =>
    withRig(async (rig) => {
      const run = runInShell(rig, "run sh -c 'echo done'");
      await run.terminal.waitFor(/exit 0/);
      // The line is longer than a row here.
      expect(run.terminal.screen.replaceAll("\n", "")).toMatch(
        /^atlasbridge: prompts go to telegram \(Ara\)(?: once connected)? · session [0-9a-f]{8}doneexit 0$/,
      );
      const isConnected = async (): Promise<boolean> =>
        (await rig.home.run("channel", "list")).stdout.includes("telegram · connected");
      await eventually(isConnected);
      const second = runInShell(rig, "run sh -c 'echo done'");
      await second.terminal.waitFor(/prompts go to telegram \(Ara\) · session/);
      await rig.home.run("hub", "stop");
      const third = runInShell(rig, "run sh -c 'echo done'");
      await third.terminal.waitFor(/telegram \(Ara\) once connected/);
    }));

  it("says that claude will ask nothing when its options say so", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { args: [] });
      await replay.run.terminal.waitFor(/Do you want to proceed/);
      const quiet = Replay.start(rig, ["bash"], { label: "quiet", args: [], flags: ["--quiet"] });
      await quiet.run.card();
      expect(quiet.run.text).not.toContain("atlasbridge:");
      expect(replay.run.text).toMatch(/atlasbridge run --ask claude/);
    }));

  it("says that --no-relay starts no hub and makes no card, and the keyboard answers the tool", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { flags: ["--no-relay"] });
      await replay.run.terminal.waitFor(/Do you want to proceed/);
      await replay.run.terminal.settled();
      expect(await rig.home.hubPid()).toBeNull();
      replay.run.terminal.press("1");
      await replay.answered(1);
      expect(rig.phone.cards).toEqual([]);
      expect(replay.run.text).toContain("not relayed (--no-relay): only this terminal can answer");
    }));

  it("says that an executable is missing, with exit code 127 and without a hub", () =>
    withRig(async (rig) => {
      const run = runInShell(rig, "run no-such-tool");
      await run.terminal.waitFor(/exit 127/);
      expect(run.terminal.screen).toMatch(/no-such-tool/);
      expect(run.terminal.screen).toMatch(/not found|no such/i);
      expect(run.terminal.screen).not.toMatch(/\n\s+at /);
      expect(await rig.home.hubPid()).toBeNull();
    }));
});

/** In a shell, so that there is somebody who still has the terminal when the run is over. */
function startInShell(rig: Rig): Replay {
  const command = `${process.execPath} ${MAIN} run --label shell claude`;
  const script = `stty -g > before; ${command}; echo $? > code; stty -g > after`;
  return Replay.inShell(rig, ["bash"], script, "shell");
}

describe.concurrent("the terminal is as it was", () => {
  it.each([
    ["after the tool's own end", (replay: Replay) => replay.run.terminal.press("/exit\r"), 0],
    ["after kill -9 of the tool", (_: Replay, { tool }: Pids) => process.kill(tool, "SIGKILL"), 128 + 9],
    ["after SIGTERM to us", (_: Replay, { worker }: Pids) => process.kill(worker, "SIGTERM"), 128 + 15],
    ["after SIGHUP to us", (_: Replay, { worker }: Pids) => process.kill(worker, "SIGHUP"), 128 + 1],
  ])("%s", (_, end, code) =>
    withRig(async (rig) => {
      const replay = startInShell(rig);
      await replay.run.card();
      const pids = await replay.pids();
      end(replay, pids);
      await replay.run.exited;
      const read = (name: string): string => readFileSync(join(rig.home.folder, name), "utf8").trim();
      expect(read("code")).toBe(String(code));
      expect(read("after")).toBe(read("before"));
      expect(listProcesses(rig.home.folder)).not.toContain(pids.tool);
    }),
  );
});

type Pids = Awaited<ReturnType<Replay["pids"]>>;
