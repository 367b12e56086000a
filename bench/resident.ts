/** What waiting costs: memory and processor time of 1, 10, 50 and 200 sessions that do nothing. Linux only. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { commandBelow, findHubPid, residentMegabytes } from "./processes.js";
import { hub, OURS, countSessions } from "./peers.js";

const COUNTS = [1, 10, 50, 200];
/** The engine compiles and collects for half a minute after the last start; what is still used behind that, we use. */
const CALM_MS = 40_000;
const WATCHED_MS = 20_000;
const ALL_JOINED_WITHIN_MS = 120_000;
/** Of `/proc/PID/stat`, on every Linux there is. */
const TICKS_PER_SECOND = 100;

export async function resident(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const rows: string[][] = [];
  for (const count of COUNTS) rows.push(await measure(count, env));
  const columns = ["sessions", "all joined, ms", "a worker, MB", "hub, MB", "CPU of all, % of a core"];
  const text = `Resident memory (a worker: the median; node itself takes 40 MB of it), and processor time over ${WATCHED_MS / 1000} s in which nothing happens.`;
  return [{ title: "Resident", text, columns, rows }];
}

async function measure(count: number, env: Readonly<Record<string, string>>): Promise<string[]> {
  hub("stop", env);
  hub("start", env);
  const begun = performance.now();
  const terminals = Array.from({ length: count }, () => new OuterTerminal(OURS.wrap(["sleep", "600"]), env));
  while (countSessions(env) < count) {
    if (performance.now() - begun > ALL_JOINED_WITHIN_MS) throw new Error(`${count} sessions never joined`);
    await pause(50);
  }
  const joinedMs = performance.now() - begun;
  await pause(CALM_MS);
  const workers = terminals.map(({ pid }) => commandBelow(pid));
  const hubPid = findHubPid(env["ATLASBRIDGE_HOME"] ?? "");
  if (hubPid === null) throw new Error("no hub runs");
  const before = cpuSeconds([...workers, hubPid]);
  await pause(WATCHED_MS);
  const cpu = ((cpuSeconds([...workers, hubPid]) - before) / (WATCHED_MS / 1000)) * 100;
  const memory = workers.map(residentMegabytes).sort((a, b) => a - b);
  const row = [
    String(count),
    short(joinedMs),
    short(memory[Math.floor(count / 2)] ?? NaN),
    short(residentMegabytes(hubPid)),
    short(cpu),
  ];
  await Promise.all(terminals.map((terminal) => terminal.close()));
  return row;
}

function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}
