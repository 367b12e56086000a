/** What a soak samples, and whether it stayed flat. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { median } from "../figures.js";
import { commandBelow, countDescriptors, countThreads, findHubPid, residentMegabytes } from "../processes.js";

/** One look at everything. Where there is no hub just then, its figures are NaN. */
export interface Sample {
  /** Since the start of the soak, in seconds. */
  readonly at: number;
  readonly hubMegabytes: number;
  readonly hubDescriptors: number;
  readonly hubThreads: number;
  /** Medians of the workers. */
  readonly workerMegabytes: number;
  readonly workerDescriptors: number;
  readonly workerThreads: number;
  /** All files of the database. */
  readonly ledgerKilobytes: number;
  /** In the ledger. */
  readonly prompts: number;
}

export type Figure = Exclude<keyof Sample, "at">;

/** `terminals`: the processes that were started for sessions which are old enough to have settled. */
export function takeSample(home: string, terminals: readonly number[], at: number): Sample {
  const hubPid = findHubPid(home);
  const ofHub = (read: (pid: number) => number): number =>
    hubPid === null ? NaN : orNaN(() => read(hubPid));
  const ofWorkers = (read: (pid: number) => number): number =>
    median(terminals.map((pid) => orNaN(() => read(commandBelow(pid)))).filter(Number.isFinite));
  return {
    at,
    hubMegabytes: ofHub(residentMegabytes),
    hubDescriptors: ofHub(countDescriptors),
    hubThreads: ofHub(countThreads),
    workerMegabytes: ofWorkers(residentMegabytes),
    workerDescriptors: ofWorkers(countDescriptors),
    workerThreads: ofWorkers(countThreads),
    ledgerKilobytes: measureLedger(home),
    prompts: orNaN(() => countPrompts(home)),
  };
}

/** How much the last quarter of a soak may lie above the second; the first is its warming up. */
const GROWTH_MAX: Readonly<Partial<Record<Figure, (before: number) => number>>> = {
  // The engine collects when it likes: a tenth and five megabytes are its play.
  hubMegabytes: (before) => before * 1.1 + 5,
  workerMegabytes: (before) => before * 1.1 + 5,
  hubDescriptors: (before) => before + 3,
  hubThreads: (before) => before + 1,
  workerDescriptors: (before) => before + 2,
  workerThreads: (before) => before + 1,
};
/** A prompt with its rows, its audit and its indexes; the write-ahead log swings below this, too. */
const LEDGER_KILOBYTES_PER_PROMPT_MAX = 24;
const LEDGER_SWING_KILOBYTES = 8 * 1024;

/** What grew, in words; empty if nothing did. */
export function findGrowth(samples: readonly Sample[]): readonly string[] {
  const quarter = Math.floor(samples.length / 4);
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const middle = (part: readonly Sample[], figure: Figure): number =>
    median(part.map((sample) => sample[figure]).filter(Number.isFinite));
  const grown = Object.entries(GROWTH_MAX).flatMap(([name, allow]) => {
    const [before, after] = [middle(second, name as Figure), middle(last, name as Figure)];
    return after <= allow(before)
      ? []
      : [`${name}: ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last`];
  });
  const rows = middle(last, "prompts") - middle(second, "prompts");
  const ledger = middle(last, "ledgerKilobytes") - middle(second, "ledgerKilobytes");
  const allowed = rows * LEDGER_KILOBYTES_PER_PROMPT_MAX + LEDGER_SWING_KILOBYTES;
  return ledger <= allowed
    ? grown
    : [...grown, `ledgerKilobytes: ${ledger.toFixed(0)} more for ${rows} prompts`];
}

function measureLedger(home: string): number {
  const files = orNaN(() =>
    readdirSync(home)
      .filter((name) => name.startsWith("atlasbridge.db"))
      .reduce((sum, name) => sum + statSync(join(home, name)).size, 0),
  );
  return files / 1024;
}

function countPrompts(home: string): number {
  const ledger = new Database(join(home, "atlasbridge.db"), { readonly: true });
  try {
    return ledger.prepare("SELECT count(*) FROM prompts").pluck().get() as number;
  } finally {
    ledger.close();
  }
}

/** Of what ended meanwhile there is nothing to read. */
function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return NaN;
  }
}
