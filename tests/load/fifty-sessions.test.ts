/**
 * Fifty runs that start at once share one hub, start it again after each of twenty kills, and leave no process
 * behind.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { fetchSessions } from "../../src/client/client.js";
import { findHub } from "../../src/client/connect/meet-hub.js";
import { EchoRun } from "../support/echo-run.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { readCommand, isAlive, listProcesses, RIG_MARK } from "../support/rig/processes.js";

const SESSIONS = 50;
const KILLS = 20;
/** Fifty programs load Node on however many processors there are. */
const ALL_UP_WITHIN_MS = 120_000;
/** The bar of the product on a quiet machine: after the death of the hub every session is back with the next one. */
const BACK_WITHIN_MS = 2_000;

describe("fifty runs, started at once in a clean home", () => {
  const home = new HubHome();
  Object.assign(home.env, { [RIG_MARK]: home.folder });
  let runs: readonly EchoRun[] = [];

  afterAll(async () => {
    await home.close();
    for (const pid of listProcesses(home.folder)) process.kill(pid, "SIGKILL");
  });

  it("share one hub, and report no fault", async () => {
    const begun = performance.now();
    runs = Array.from({ length: SESSIONS }, (_, n) => new EchoRun(home, `run-${n}`));
    await eventually(() => runs.every(({ out }) => out.includes("ready")), ALL_UP_WITHIN_MS);
    const upMs = performance.now() - begun;
    await eventually(async () => (await connectedCount(home)) === SESSIONS, ALL_UP_WITHIN_MS);
    report(`${SESSIONS} tools up after ${ms(upMs)}, all relayed after ${ms(performance.now() - begun)}`);
    await eventually(() => listHubs(home).length <= 1);
    expect(runs.map(({ err }) => err).filter((err) => err !== "")).toEqual([]);
    expect(troubleIn(home)).toEqual([]);
    await Promise.all(runs.map((run) => run.answers()));
  });

  it("are relayed again after each of twenty kills of the hub, and no tool notices", async () => {
    const before = await settledCounts(home, runs);
    const backMs: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      backMs.push(await killHub(home));
      const [one, other] = [runs[kill], runs[SESSIONS - kill]];
      await Promise.all([one?.answers(), other?.answers()]);
    }
    const after = await settledCounts(home, runs);
    const [middle, worst] = [median(backMs), Math.max(...backMs)];
    report(`${KILLS} kills: all ${SESSIONS} back after ${ms(middle)} (median), ${ms(worst)} (worst);`);
    report(`the bar is ${ms(BACK_WITHIN_MS)}; descriptors and processes: ${JSON.stringify(after)}`);
    expect(after).toEqual(before);
    expect(troubleIn(home)).toEqual([]);
    await Promise.all(runs.map((run) => run.answers()));
  });

  it("end as their tools do, and the hub's end leaves no process of theirs", async () => {
    expect(new Set(await Promise.all(runs.map((run) => run.end())))).toEqual(new Set([0]));
    expect(runs.every(({ out }) => out.trimEnd().endsWith("bye"))).toBe(true);
    await eventually(async () => (await connectedCount(home)) === 0);
    expect(listProcesses(home.folder).length).toBeLessThanOrEqual(1);
    expect((await home.run("hub", "stop")).code).toBe(0);
    expect(listProcesses(home.folder).map(readCommand)).toEqual([]);
  });
});

/** Sessions whose workers are connected to the hub now; none where no hub serves. */
async function connectedCount({ paths }: HubHome): Promise<number> {
  const hub = await findHub({ paths });
  if (!hub) return 0;
  try {
    return (await fetchSessions(hub, false)).filter(({ connected }) => connected).length;
  } catch {
    return 0;
  } finally {
    hub.close();
  }
}

async function killHub(home: HubHome): Promise<number> {
  const pid = await eventually(() => home.hubPid());
  const begun = performance.now();
  process.kill(pid, "SIGKILL");
  await eventually(() => !isAlive(pid));
  await eventually(async () => (await connectedCount(home)) === SESSIONS, ALL_UP_WITHIN_MS);
  return performance.now() - begun;
}

interface Counts {
  readonly processes: number;
  readonly hubs: number;
  readonly workerDescriptors: number;
  readonly hubDescriptors: number;
}

/** What there is once nothing is under way any more: starters that lost an election have ended, our own connections are closed. */
async function settledCounts(home: HubHome, runs: readonly EchoRun[]): Promise<Counts> {
  let last = "";
  return eventually(async () => {
    const counts = countAll(home, runs);
    const same = JSON.stringify(counts) === last && counts.hubs <= 1;
    last = JSON.stringify(counts);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return same && counts;
  });
}

function countAll(home: HubHome, runs: readonly EchoRun[]): Counts {
  const hubs = listHubs(home);
  const workers = runs.map(({ process: { pid } }) => countDescriptors(pid ?? 0));
  return {
    processes: listProcesses(home.folder).length,
    hubs: hubs.length,
    workerDescriptors: workers.reduce((sum, count) => sum + count, 0),
    hubDescriptors: countDescriptors(hubs[0] ?? 0),
  };
}

function listHubs(home: HubHome): number[] {
  return listProcesses(home.folder).filter((pid) => readCommand(pid).includes("hub start"));
}

/** Open files, where the system tells (Linux). */
function countDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function troubleIn({ paths }: HubHome): string[] {
  const lines = readFileSync(paths.hubLog, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.includes('"level":"info"'));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ms(duration: number): string {
  return `${(duration / 1_000).toFixed(2)} s`;
}

function report(line: string): void {
  console.info(`  ${line}`);
}
