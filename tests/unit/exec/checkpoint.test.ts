/** The file of a loop keeps its turns, its session and its count, so that an interrupted loop continues where it was. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { resolvePaths } from "../../../src/config/paths.js";
import { ensurePrivateDirectory } from "../../../src/config/private-files.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { CheckpointFile, resumeState, type Checkpoint } from "../../../src/exec/checkpoint.js";
import { NEW_LOOP, finishTurn, type LoopLimits, type LoopState } from "../../../src/exec/task-loop.js";

const LIMITS: LoopLimits = { iterations: 2, perHour: 100, noProgress: 3, sameError: 3, denials: 3 };
const failed = (state: LoopState): LoopState =>
  finishTurn(state, { problem: "overloaded (529)", words: "", callsDone: 0, denials: 0 });
const of = (loop: LoopState, status: Checkpoint["status"] = "interrupted"): Checkpoint => ({
  status,
  session: "s1",
  costUsd: 1,
  loop,
});

it("a loop that was interrupted continues where it was", () => {
  const checkpoint = of(failed(NEW_LOOP));
  expect(resumeState(checkpoint, LIMITS)).toEqual(checkpoint);
});

it("a loop whose last turn failed starts again, in its session", () => {
  const { loop, session, costUsd } = resumeState(of(failed(failed(NEW_LOOP))), LIMITS);
  expect({ iteration: loop.iteration, sameErrors: loop.sameErrors }).toEqual({ iteration: 0, sameErrors: 0 });
  expect({ session, costUsd }).toEqual({ session: "s1", costUsd: 1 });
});

it("a loop that was stopped continues after its last turn, and the counts that stopped it start again", () => {
  const { loop } = resumeState(of(failed(failed(failed(NEW_LOOP))), "stopped"), {
    ...LIMITS,
    iterations: 100,
  });
  expect(loop).toEqual({ ...NEW_LOOP, iteration: 3 });
});

it("a loop that used all its turns continues where it is given more of them", () => {
  const used = of(failed(failed(NEW_LOOP)), "stopped");
  expect(resumeState(used, { ...LIMITS, iterations: 3 }).loop.iteration).toBe(2);
});

it("a loop that starts again still counts the turns of the last hour", () => {
  const loop = { ...failed(failed(NEW_LOOP)), begunAt: [1, 2] };
  expect(resumeState(of(loop, "stopped"), LIMITS).loop).toEqual({ ...NEW_LOOP, begunAt: [1, 2] });
});

describe("the file of a loop", () => {
  let home: string;
  const paths = () =>
    resolvePaths({ env: { ATLASBRIDGE_HOME: home }, userHome: null, tmpDir: tmpdir(), uid: 0 });
  const file = () => new CheckpointFile(paths(), { tool: "claude", cwd: "/", prompt: "x", context: null });
  beforeEach(() => (home = makeTestFolder("loop")));

  it("lies in a folder that is ours: a home that others could read can still be closed", () => {
    chmodSync(home, 0o755);
    file();
    ensurePrivateDirectory(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it("holds nothing of what an agent said or of an error, and two turns are still compared", () => {
    const words = "deployed with ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const problem = "401 for deploy:hunter2@registry";
    const said = finishTurn(NEW_LOOP, { problem: null, words, callsDone: 1, denials: 0 });
    file().write(of(finishTurn(said, { problem, words, callsDone: 1, denials: 0 })));
    const [name = ""] = readdirSync(join(home, "exec"));
    expect(readFileSync(join(home, "exec", name), "utf8")).not.toMatch(/ghp_|deploy|hunter/);
    const { loop } = file().read()!;
    expect(finishTurn(loop, { problem, words, callsDone: 1, denials: 0 }).sameErrors).toBe(2);
    expect(finishTurn(loop, { problem: null, words, callsDone: 1, denials: 0 }).idleTurns).toBe(1);
  });

  it("of a version that stored the words still resumes, and loses them at the next write", () => {
    const counts = { iteration: 4, begunAt: [], idleTurns: 0, sameErrors: 0, deniedTurns: 0 };
    file().write(of({ ...counts, lastError: null, lastWords: "ghp_16C7" } as never));
    const kept = file().read()!;
    expect(kept.loop.iteration).toBe(4);
    file().write(kept);
    const [name = ""] = readdirSync(join(home, "exec"));
    expect(readFileSync(join(home, "exec", name), "utf8")).not.toContain("ghp_");
  });

  it("that cannot be written is an error with a code, and leaves no draft", () => {
    file().write(of(NEW_LOOP));
    const [name = ""] = readdirSync(join(home, "exec"));
    rmSync(join(home, "exec", name));
    mkdirSync(join(home, "exec", name, "taken"), { recursive: true });
    expect(() => file().write(of(NEW_LOOP))).toThrow(AtlasBridgeError);
    expect(() => file().write(of(NEW_LOOP))).toThrow(/\(the loop's checkpoint\) cannot be written/);
    mkdirSync(join(home, "exec", `${name}.lock.${process.pid}.new`));
    expect(() => file().claim()).toThrow(AtlasBridgeError);
    expect(readdirSync(join(home, "exec")).filter((each) => each.endsWith(".json.new"))).toEqual([]);
  });
});
