/** What the agent's log and the cards say against us. Empty: every decision was carried out once, or its person was told. */
import type { Card } from "../../support/rig/phone.js";
import type { Entry } from "./agent-log.js";
import type { FaultRig } from "./fault-rig.js";
import { countWritten, KEYS, writtenAt } from "./key-log.js";
import { isAbout, type Play, type Tap } from "./play.js";

/** What people are told where an answer was taken, or may have been. */
const TAKEN = /^(?:✅|❔)/u;
/** Our own code failed, or nobody knows why. */
const NONSENSE = /Something went wrong/;

export function findings(rig: FaultRig, play: Play): string[] {
  const ofLogs = rig.sessions.flatMap(({ label, log }) => ofLog(label, log.entries, play.taps));
  return [...ofLogs, ...ofKeys(rig), ...ofTaps(rig, play)];
}

/**
 * Keys that the agent got when it had taken its question back. No program between a person and a terminal can take back a key that
 * crosses with the tool's output, so they are told and are no finding. Each line says how long after the new picture was handed to the
 * system the key was written; a negative time is before it.
 */
export function describeCrossings(rig: FaultRig): string[] {
  return rig.sessions.flatMap(({ label, log }) =>
    log.entries.flatMap(({ in: key, to, us }) => {
      if (key === undefined || to !== null) return [];
      const written = writtenAt(rig.faults, key, us);
      const gone = log.entries.findLast((entry) => entry.gone !== undefined && entry.us <= us);
      const behind = written === null || !gone ? "at an unknown time" : `${written - gone.us} µs`;
      return [`${label}: ${JSON.stringify(key)} written ${behind} after its question was taken back`];
    }),
  );
}

function ofKeys(rig: FaultRig): string[] {
  const entries = rig.sessions.flatMap(({ log }) => log.entries);
  return KEYS.flatMap((key) => {
    const read = entries.filter((entry) => entry.in === key).length;
    const written = countWritten(rig.faults, key);
    return read > written
      ? [`${JSON.stringify(key)} was read ${read} times and written ${written} times`]
      : [];
  });
}

/** Never an answer that nobody gave, and never a byte that is no answer. */
function ofLog(label: string, entries: readonly Entry[], taps: readonly Tap[]): string[] {
  const wrong = entries.flatMap(({ took, job, row }, index) => {
    if (took === undefined) return [];
    const asked = entries.findIndex(({ ask }) => ask === took);
    // The tap came after this question and before its answer.
    const isTapped = taps.some(
      (tap) =>
        !tap.isSecond && tap.job === job && tap.row === row && tap.logged > asked && tap.logged <= index,
    );
    return isTapped
      ? []
      : [`${label}: ${job ?? ""} was answered “${row ?? ""}”, which nobody had tapped for it`];
  });
  const odd = entries.filter(({ in: key }) => key !== undefined && !KEYS.includes(key));
  return [...wrong, ...odd.map(({ in: key }) => `${label}: ${JSON.stringify(key)} is no key of an answer`)];
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
  // A question that its tool takes back just behind the key looks as if the key had ended it.
  const crossed = listCrossedJobs(rig);
  const boasts = jobs.filter(
    (job) =>
      !taken.has(job) &&
      !crossed.includes(job) &&
      listCards(rig, job).some(({ text }) => text.startsWith("✅")),
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

/** The questions that were taken back last before the agent read a key. */
function listCrossedJobs(rig: FaultRig): string[] {
  return rig.sessions.flatMap(({ log: { entries } }) =>
    entries.flatMap(({ in: key, to }, index) => {
      if (key === undefined || to !== null) return [];
      const gone = entries.slice(0, index).findLast((entry) => entry.gone !== undefined)?.gone;
      return entries.find(({ ask }) => ask !== undefined && ask === gone)?.job ?? [];
    }),
  );
}

function listCards(rig: FaultRig, job: string): Card[] {
  return rig.phone.cards.filter((card) => isAbout(card, job));
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
