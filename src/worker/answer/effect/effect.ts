/** Watches the screen for the effect of the committing write. The effect is observed, never assumed. */
import type { ReceiptProof } from "../../../model/answer/receipt.js";
import { isSameSize } from "../../detection/layout/fingerprint.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import { ENTER } from "../plan/bytes.js";
import { settle, waitFor, type TerminalPort } from "../terminal-port.js";
import { isLineTaken, captureMoment, countRowsLeft, showsTyped, type ScreenMoment } from "../screen-match.js";
import type { Plan } from "../plan/plan-steps.js";
import type { KeyConsumptionWatch } from "./key-consumption-watch.js";
import type { AnswerTimings } from "../timings.js";
import { findChange } from "./screen-change.js";
import { createClassifier } from "./classify-moment.js";
import { hasLeftScreen } from "./left-screen.js";
import { readTakenLabel } from "./taken-label.js";
import { hasLeft, hasContinued } from "./unrecognized-match.js";

export interface CommittingWrite {
  readonly port: TerminalPort;
  readonly timings: AnswerTimings;
  readonly plan: Plan;
  readonly moment: ScreenMoment;
  /** The screen at the previous write, if there was one. */
  readonly momentBefore: ScreenMoment | null;
  /** Rows that held the pasted text before the write. */
  readonly echoRows: readonly string[];
  /** Somebody has typed since: a change may be the effect of those keys. */
  readonly isDisturbed: () => boolean;
  /** See `PreconditionOptions`. */
  readonly isToolReading?: (() => boolean) | undefined;
  /** One for each answering key. */
  readonly watches: readonly KeyConsumptionWatch[];
}

/** Only for text in a composer: after the text row of a list the next question may follow, and Enter would answer that. */
export function mayPressEnterAgain({ plan, moment, echoRows }: CommittingWrite): boolean {
  return (
    plan.effect.kind === "field_empties" && moment.live?.promptType === "free_text" && echoRows.length > 0
  );
}

export type ObservedEffect = {
  /** Plain words, without any screen text. */
  readonly evidence: string;
} & (
  | { readonly outcome: "answered"; readonly proof: ReceiptProof }
  | { readonly outcome: "uncertain"; readonly proof?: never }
);

type Sign = "gone" | "taken" | "gave_way" | "repeated" | "went_on" | "field_emptied" | "changed" | "ended";

const EVIDENCE: Readonly<Record<Sign, string>> = {
  gone: "the question left the screen",
  taken: "the tool shows which choice it took",
  gave_way: "the question gave way to what the tool draws when it asks nothing",
  repeated: "the terminal took the line and the same question was asked again",
  went_on: "the program wrote on below the line",
  field_emptied: "the text left its field",
  changed: "the screen changed",
  ended: "the tool ended",
};

/** Watches for at most `withinMs`; null when no effect was seen in that time and the tool still runs. */
export async function watchEffect(commit: CommittingWrite, withinMs: number): Promise<ObservedEffect | null> {
  const { port } = commit;
  const end = port.clock.monotonic() + withinMs;
  for (;;) {
    const left = end - port.clock.monotonic();
    const sign = await waitFor(port, () => findSign(commit), left);
    if (commit.isDisturbed()) return DISTURBED;
    if (sign === null) return null;
    if (sign === "ended") return judgeEnd(commit);
    if (port.wasEnded()) return ENDED;
    const passed = await watchPassing(commit, sign);
    const judged = passed === "back" ? null : await judgeSign(commit, passed);
    if (judged !== null || left <= 0) return judged;
  }
}

/** Null: the question is on the screen again. */
async function judgeSign(commit: CommittingWrite, sign: Sign): Promise<ObservedEffect | null> {
  const { port, timings, watches } = commit;
  let seen = sign;
  // An equal question may follow before the receipt is written.
  const stopFrames = port.onFrame(() => {
    if (findSign(commit) === "gave_way") seen = "gave_way";
  });
  for (const watch of watches) await watch.awaitRead(isLinePrompt(commit));
  // On a busy machine output that has arrived may not have been read yet.
  await settle(port, timings.settleWithinMs);
  stopFrames();
  // A Ctrl-C meanwhile discards what the tool has not read.
  if (commit.isDisturbed()) return DISTURBED;
  const last = findSign(commit);
  if (port.wasEnded()) return ENDED;
  if (seen === "gone" && last === null) return null;
  return findDoubt(commit) ?? createEffect(EVIDENCE[seen]);
}

export function createEffect(evidence: string, proof: ReceiptProof = "effect"): ObservedEffect {
  return { outcome: "answered", proof, evidence };
}

export function createDoubt(evidence: string): ObservedEffect {
  return { outcome: "uncertain", evidence };
}

const DISTURBED = createDoubt("somebody typed before an effect was seen");
const ENDED = createDoubt("the tool was ended before an effect was seen");

/** Not null: another question may have consumed the key, so no change proves an effect. */
function findDoubt(commit: CommittingWrite): ObservedEffect | null {
  const { port, plan, moment, watches } = commit;
  const typed = plan.steps.at(-1)?.keys.replace(ENTER, "") ?? "";
  const isOfLine = isLinePrompt(commit);
  const taken = readTaken(commit, captureMoment(port));
  if (taken === "other") return createDoubt("the tool shows that it took another choice");
  // Where the answer stands right behind its question, no other question was drawn between them.
  const isBehind = taken === "chosen" || (isOfLine && isLineTaken(typed, moment.view, port.view()));
  const why = watches
    .map((watch) => (isBehind ? watch.explainUnread(isOfLine) : watch.explainDoubt(isOfLine)))
    .find((doubt) => doubt !== null);
  return why === undefined ? null : createDoubt(why);
}

function readTaken({ plan, moment }: CommittingWrite, now: ScreenMoment): ReturnType<typeof readTakenLabel> {
  const { effect } = plan;
  return effect.kind === "leaves" ? readTakenLabel(moment, effect.chosen ?? "", now) : null;
}

function isLinePrompt({ moment }: CommittingWrite): boolean {
  return moment.live !== null && isLineShape(moment.live);
}

function findSign(commit: CommittingWrite): Sign | null {
  if (!commit.port.isAlive()) return "ended";
  const sign = findScreenSign(commit);
  return sign === "gone" && hasGivenWay(commit) ? "gave_way" : sign;
}

function findScreenSign(commit: CommittingWrite): Sign | null {
  const { port, plan, moment, momentBefore: before, echoRows } = commit;
  const now = captureMoment(port);
  if (now.view.modes.synchronizedUpdate || now.view.unfollowed) return null;
  for (const watch of commit.watches) watch.observe(now);
  const { effect } = plan;
  // The composer is also drawn while the tool works; or the next question has taken its place.
  if (effect.kind === "composer_empties")
    return now.live !== null || port.hasEmptyComposer(now.view) ? "field_emptied" : null;
  if (effect.kind === "typed_text_leaves" && before !== null)
    return showsTyped(effect.typed, before, now.view) ? null : "gone";
  const hadField = effect.kind === "field_empties";
  // On a screen that no rule reads, only the disappearance of the text counts, and it may be anywhere.
  if (moment.live === null)
    return hadField && countRowsLeft(echoRows, { ...now, live: null }) === 0 ? "field_emptied" : null;
  if (moment.live.promptType === "unknown") return findUnrecognizedSign(commit, now);
  if (readTaken(commit, now) === "chosen") return "taken";
  if (isOnlyEchoed(commit, now)) return null;
  const shown = createClassifier(plan, moment)(now);
  if (now.live === null || shown !== "asked") {
    const since = { isOther: shown === "other", hasGivenWay: hasGivenWay(commit) };
    return hasLeftScreen(moment.live, moment.view, now, since) ? "gone" : null;
  }
  const isResized = !isSameSize(moment.live, now.live);
  if (effect.kind === "leaves_row" && !isResized && now.live.region.top !== moment.live.region.top)
    return "gone";
  if (hadField && countRowsLeft(echoRows, now) === 0) return "field_emptied";
  return effect.kind === "leaves_or_repeats" && isLineTaken(effect.typed, moment.view, now.view)
    ? "repeated"
    : null;
}

/** The terminal echoes a key on a line also where the program waits for more. */
function isOnlyEchoed({ plan, moment, isToolReading }: CommittingWrite, { view }: ScreenMoment): boolean {
  const keys = plan.steps.at(-1)?.keys ?? "";
  return plan.effect.kind === "leaves" && isToolReading?.() === true && showsTyped(keys, moment, view);
}

/** A change may be the echo of our own key. All of the screen must have left, or the program must have continued. */
function findUnrecognizedSign(commit: CommittingWrite, now: ScreenMoment): Sign | null {
  const { moment, plan, echoRows } = commit;
  if (hasGivenWay(commit)) return "gave_way";
  if (plan.effect.kind === "field_empties" && countRowsLeft(echoRows, { ...now, live: null }) === 0)
    return "field_emptied";
  if (hasLeft(moment, now)) return "gone";
  if (plan.effect.kind === "screen_changes" && findChange(moment.view, now.view) !== null) return "changed";
  return plan.steps.at(-1)?.keys === ENTER && hasContinued(moment, now) ? "went_on" : null;
}

/** A spinner or an input box that was not there with the dialog is no redraw, even if an equal question follows within 44 ms. */
function hasGivenWay({ port, moment }: CommittingWrite): boolean {
  const drawn = port.detectState(port.view());
  return (drawn === "working" || drawn === "idle") && drawn !== port.detectState(moment.view);
}

/** A redraw erases a screen for an instant: it counts as gone, or as another one, only when it does not come back. */
async function watchPassing(commit: CommittingWrite, sign: Sign): Promise<Sign | "back"> {
  // A redraw of the whole screen also shows an empty input box for an instant.
  const mayPass =
    ["gone", "taken", "changed"].includes(sign) || commit.plan.effect.kind === "composer_empties";
  if (!mayPass) return sign;
  const look = (): "back" | "gave_way" | null => {
    const now = findSign(commit);
    if (now === "gave_way") return now;
    return now === sign || (sign === "changed" && now !== null) ? null : "back";
  };
  return (await waitFor(commit.port, look, commit.timings.goneForMs)) ?? sign;
}

/** The last picture decides: a script that was answered may end at once, but a crash leaves the dialog drawn. */
async function judgeEnd(commit: CommittingWrite): Promise<ObservedEffect> {
  const { port, timings, watches } = commit;
  await settle(port, timings.settleWithinMs);
  for (const watch of watches) await watch.awaitRead(isLinePrompt(commit));
  if (port.wasEnded()) return ENDED;
  const sign = findScreenSign(commit);
  const doubt = findDoubt(commit);
  if (doubt !== null) return doubt;
  if (sign !== null) return createEffect(`${EVIDENCE[sign]} and the tool ended`);
  if (commit.plan.endsTool) return createEffect("the tool ended, as this answer makes it");
  return createDoubt("the tool ended with the question still drawn");
}
