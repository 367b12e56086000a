/** What the agent's log and the cards say against us. Empty: every decision was carried out once, or its person was told. */
import type { Card } from "../../support/rig/phone.js";
import type { Entry } from "./agent-log.js";
import type { FaultRig } from "./fault-rig.js";
import { writtenAt } from "./key-log.js";
import { isAbout, type Play, type Tap } from "./play.js";

const ARROWS: readonly (string | undefined)[] = ["\x1b[A", "\x1b[B"];
/** What people are told where an answer was taken, or may have been. */
const TAKEN = /^(?:✅|❔)/u;
/** Our own code failed, or nobody knows why. */
const NONSENSE = /Something went wrong/;

export function findings(rig: FaultRig, play: Play): string[] {
  const ofLogs = rig.sessions.flatMap(({ label, log }) => ofLog(rig, label, log.entries, play.taps));
  return [...ofLogs, ...ofTaps(rig, play)];
}

/**
 * How long the system may take to bring what a tool has drawn to whoever reads its terminal: between the two another process may run.
 * Measured with four busy processes on each processor: 65 ms at most, 27 ms in 99 of 100.
 */
const LET_THROUGH_US = 65_000;

/** A key that the agent got when it had taken its question back. */
interface Stray {
  readonly label: string;
  readonly key: string;
  /** Instant of the write, counted from the one at which the new picture had been handed to the system; null: nobody wrote it. */
  readonly behindUs: number | null;
}

function strays(rig: FaultRig, label: string, entries: readonly Entry[]): Stray[] {
  return entries.flatMap(({ in: key, to, us }) => {
    if (key === undefined || to !== null) return [];
    const written = writtenAt(rig.faults, key, us);
    const gone = entries.findLast((entry) => entry.gone !== undefined && entry.us <= us);
    return [{ label, key, behindUs: written === null || !gone ? null : written - gone.us }];
  });
}

function hasCrossed({ behindUs }: Stray): boolean {
  return behindUs !== null && behindUs <= LET_THROUGH_US;
}

export interface Crossing {
  readonly words: string;
  /** Written when the new picture had left the agent, and may not have come to the terminal's reader yet. */
  readonly isBehind: boolean;
}

/**
 * Keys that were on their way when the agent took its question back: written before its new picture could be read by anybody. No
 * program between a person and a terminal can take them back. Counted, and told apart by the agent's and the writer's instants.
 */
export function crossings(rig: FaultRig): Crossing[] {
  return rig.sessions
    .flatMap(({ label, log }) => strays(rig, label, log.entries))
    .filter(hasCrossed)
    .map(({ label, key, behindUs }) => crossing(`${label}: ${JSON.stringify(key)}`, behindUs ?? 0));
}

function crossing(what: string, behindUs: number): Crossing {
  const isBehind = behindUs > 0;
  const side = isBehind ? "after the new picture was handed over" : "before the new picture";
  return { words: `${what} crossed, written ${Math.abs(behindUs)} µs ${side}`, isBehind };
}

/** Never two answers for one prompt, never an answer to another prompt, never a byte into what follows. */
function ofLog(rig: FaultRig, label: string, entries: readonly Entry[], taps: readonly Tap[]): string[] {
  const asked = new Map(
    entries.flatMap(({ ask, at, job }) => (ask === undefined ? [] : [[ask, { at, job }]])),
  );
  const takes = entries.filter(({ took }) => took !== undefined);
  const wrong = takes.filter(({ took, job, row, at }) => {
    const since = asked.get(took ?? 0)?.at ?? Infinity;
    return !taps.some(
      (tap) => !tap.isSecond && tap.job === job && tap.row === row && tap.at >= since && tap.at <= at,
    );
  });
  const stray = strays(rig, label, entries).filter((each) => !hasCrossed(each));
  const odd = entries.filter(({ in: key }) => key !== undefined && key !== "\r" && !ARROWS.includes(key));
  return [
    ...wrong.map(
      ({ job, row }) => `${label}: ${job ?? ""} was answered “${row ?? ""}”, which nobody had tapped for it`,
    ),
    ...stray.map(
      ({ key, behindUs }) =>
        `${label}: ${JSON.stringify(key)} went in while nothing was asked, written ${behindUs ?? "never"} µs after the last question was taken back`,
    ),
    ...odd.map(({ in: key }) => `${label}: ${JSON.stringify(key)} is no key of an answer`),
  ];
}

/** Never a lost decision: answered, uncertain with notice, or refused with its reason. */
function ofTaps(rig: FaultRig, play: Play): string[] {
  const standing = rig.sessions.flatMap(({ log }) => log.open?.job ?? []);
  const taken = new Set(
    rig.sessions.flatMap(({ log }) => log.entries.flatMap(({ took, job }) => (took ? job : []))),
  );
  const jobs = [...new Set(play.taps.map(({ job }) => job))].filter((job) => !standing.includes(job));
  const unsettled = jobs.flatMap((job) => listCards(rig, job).filter(({ buttons }) => buttons.length > 0));
  const untold = jobs.filter(
    (job) => taken.has(job) && !listCards(rig, job).some(({ text }) => TAKEN.test(text)),
  );
  const boasts = jobs.filter(
    (job) => !taken.has(job) && listCards(rig, job).some(({ text }) => text.startsWith("✅")),
  );
  const nonsense = play.taps.filter(({ told }) => told !== null && NONSENSE.test(told));
  return [
    ...unsettled.map(({ text }) => `a card never said what became of it: ${firstLine(text)}`),
    ...untold.map(
      (job) =>
        `${job} was answered, and its cards say: ${listCards(rig, job)
          .map(({ text }) => firstLine(text))
          .join(" | ")}`,
    ),
    ...boasts.map((job) => `${job} was not answered, and a card says that it was`),
    ...nonsense.map(({ job, told }) => `${job}: the person was told “${told ?? ""}”`),
  ];
}

function listCards(rig: FaultRig, job: string): Card[] {
  return rig.phone.cards.filter((card) => isAbout(card, job));
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
