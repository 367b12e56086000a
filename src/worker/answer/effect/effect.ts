/** What became of the committing write: watched on the screen, never assumed. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { ReceiptProof } from "../../../model/answer/receipt.js";
import { isSameSize } from "../../detection/layout/fingerprint.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import { ENTER } from "../plan/bytes.js";
import type { TerminalPort } from "../terminal-port.js";
import { settle, waitFor } from "../terminal-port.js";
import {
  isSameAtAnySize,
  isSameButText,
  lineTaken,
  captureMoment,
  rowsLeft,
  standsTyped,
  type ScreenMoment,
} from "../screen-match.js";
import type { Plan } from "../plan/plan-steps.js";
import type { TakenWatch } from "./taken-watch.js";
import type { AnswerTimings } from "../timings.js";
import { hasLeft, wentOn } from "./unrecognized-match.js";

/** The instant of the committing write. */
export interface CommittingWrite {
  readonly plan: Plan;
  readonly look: ScreenMoment;
  /** The instant of the write before, where there was one. */
  readonly before: ScreenMoment | null;
  /** Rows that held the pasted text then. */
  readonly echo: readonly string[];
  /** Local keys may have reached the tool since: what happens now may be their effect. */
  readonly disturbed: () => boolean;
  /** Who took the keys that answer; empty where none were written. */
  readonly taken: readonly TakenWatch[];
}

export type ObservedEffect = {
  /** Plain words, without any screen text. */
  readonly evidence: string;
} & (
  | { readonly outcome: "answered"; readonly proof: ReceiptProof }
  | { readonly outcome: "uncertain"; readonly proof?: never }
);

type Sign = "gone" | "gave_way" | "line_taken" | "went_on" | "field_emptied" | "ended";

const EVIDENCE: Readonly<Record<Sign, string>> = {
  gone: "the question left the screen",
  gave_way: "the question gave way to what the tool draws when it asks nothing",
  line_taken: "the terminal took the line and the same question was asked again",
  went_on: "the program wrote on below the line",
  field_emptied: "the text left its field",
  ended: "the tool ended",
};

/** Watches for at most `withinMs`; null when no effect was seen in that time and the tool still runs. */
export async function watchEffect(
  port: TerminalPort,
  commit: CommittingWrite,
  withinMs: number,
  timings: AnswerTimings,
): Promise<ObservedEffect | null> {
  const end = port.clock.monotonic() + withinMs;
  for (;;) {
    const left = end - port.clock.monotonic();
    const sign = await waitFor(port, () => signOf(port, commit), left);
    if (commit.disturbed()) return DISTURBED;
    if (sign === null) return null;
    if (sign === "ended") return judgeEnd(port, commit, timings);
    if (port.wasEnded()) return ENDED;
    if (sign === "gone" && gaveWay(port, commit)) return judged(port, commit, "gave_way", timings);
    if (sign !== "gone" || (await staysGone(port, commit, timings)))
      return judged(port, commit, sign, timings);
    if (left <= 0) return null;
  }
}

async function judged(
  port: TerminalPort,
  commit: CommittingWrite,
  sign: Sign,
  timings: AnswerTimings,
): Promise<ObservedEffect> {
  for (const watch of commit.taken) await watch.whenTold(isLine(commit));
  // A Ctrl-C meanwhile throws away what the tool has not read.
  if (commit.disturbed()) return DISTURBED;
  // A busy machine may wake us before it lets us see what had come by then.
  await settle(port, timings.settleWithinMs);
  screenSign(port, commit);
  if (port.wasEnded()) return ENDED;
  return overtaken(port, commit) ?? createEffect(EVIDENCE[sign]);
}

function createEffect(evidence: string): ObservedEffect {
  return { outcome: "answered", proof: "effect", evidence };
}

const DISTURBED: ObservedEffect = {
  outcome: "uncertain",
  evidence: "somebody typed before an effect was seen",
};
const ENDED: ObservedEffect = {
  outcome: "uncertain",
  evidence: "the tool was ended before an effect was seen",
};

/** The key may have met another question than the one that was answered: nothing that is seen proves more then. */
function overtaken(port: TerminalPort, commit: CommittingWrite): ObservedEffect | null {
  const { plan, look, taken } = commit;
  const typed = plan.steps.at(-1)?.keys.replace(ENTER, "") ?? "";
  const isOfLine = isLine(commit);
  // The question with the answer behind it: nothing was drawn between them. The kernel draws so, whether or not the tool reads.
  const isBehind = isOfLine && lineTaken(typed, look.view, port.view());
  const why = taken
    .map((watch) => (isBehind ? watch.whyUnread(isOfLine) : watch.doubt(isOfLine)))
    .find((doubt) => doubt !== null);
  return why === undefined ? null : { outcome: "uncertain", evidence: why };
}

function isLine({ look }: CommittingWrite): boolean {
  return look.live !== null && isLineShape(look.live);
}

function signOf(port: TerminalPort, commit: CommittingWrite): Sign | null {
  if (!port.alive()) return "ended";
  return screenSign(port, commit);
}

function screenSign(port: TerminalPort, commit: CommittingWrite): Sign | null {
  const { plan, look, before, echo } = commit;
  const now = captureMoment(port);
  if (now.view.modes.synchronizedUpdate || now.view.unfollowed) return null;
  for (const watch of commit.taken) watch.see(now);
  const { effect } = plan;
  // It is drawn while the tool works, too; or the next question has taken its place.
  if (effect.kind === "composer_empties")
    return now.live !== null || port.hasEmptyComposer(now.view) ? "field_emptied" : null;
  if (effect.kind === "line_left" && before !== null)
    return standsTyped(effect.typed, before, now.view) ? null : "gone";
  const hadField = effect.kind === "field_empties";
  // On a screen that no rule reads, only the text itself can be missed, and it may stand anywhere.
  if (look.live === null)
    return hadField && rowsLeft(echo, { ...now, live: null }) === 0 ? "field_emptied" : null;
  if (look.live.promptType === "unknown") return unreadSign(port, commit, now);
  if (!stands(look.live, now.live, hadField)) return "gone";
  const isResized = !isSameSize(look.live, now.live);
  if (effect.kind === "leaves_row" && !isResized && now.live.region.top !== look.live.region.top)
    return "gone";
  if (hadField && rowsLeft(echo, now) === 0) return "field_emptied";
  return effect.kind === "line_taken" && lineTaken(effect.typed, look.view, now.view) ? "line_taken" : null;
}

function stands(asked: Candidate, live: Candidate | null, hasField: boolean): live is Candidate {
  return isSameAtAnySize(asked, live) || (hasField && isSameButText(asked, live));
}

/** Nobody can read it: what changed there may be the echo of our own key. All of it must have left, or the program have gone on. */
function unreadSign(port: TerminalPort, commit: CommittingWrite, now: ScreenMoment): Sign | null {
  const { look, plan, echo } = commit;
  if (gaveWay(port, commit)) return "gave_way";
  if (plan.effect.kind === "field_empties" && rowsLeft(echo, { ...now, live: null }) === 0)
    return "field_emptied";
  if (hasLeft(look, now)) return "gone";
  return plan.steps.at(-1)?.keys === ENTER && wentOn(look, now) ? "went_on" : null;
}

/**
 * No redraw shows a spinner or an input box that was not there with the dialog. An equal question can follow within 44 ms: this
 * is what tells them apart.
 */
function gaveWay(port: TerminalPort, { look }: CommittingWrite): boolean {
  const drawn = port.signs(port.view());
  return (drawn === "working" || drawn === "idle") && drawn !== port.signs(look.view);
}

/** A redraw erases a dialog for an instant: it counts as gone only when it does not come back. */
async function staysGone(
  port: TerminalPort,
  commit: CommittingWrite,
  timings: AnswerTimings,
): Promise<boolean> {
  const back = (): true | null => (signOf(port, commit) === "gone" ? null : true);
  return (await waitFor(port, back, timings.goneForMs)) === null;
}

/** The last picture decides: a script whose last question it was ends at once, but a crash leaves the dialog standing. */
async function judgeEnd(
  port: TerminalPort,
  commit: CommittingWrite,
  timings: AnswerTimings,
): Promise<ObservedEffect> {
  await settle(port, timings.settleWithinMs);
  for (const watch of commit.taken) await watch.whenTold(isLine(commit));
  // Whoever ended it, a tool that tidies up takes its question away.
  if (port.wasEnded()) return ENDED;
  const sign = screenSign(port, commit);
  const doubt = overtaken(port, commit);
  if (doubt !== null) return doubt;
  if (sign !== null) return createEffect(`${EVIDENCE[sign]} and the tool ended`);
  if (commit.plan.endsTool) return createEffect("the tool ended, as this answer makes it");
  return { outcome: "uncertain", evidence: "the tool ended with the question still drawn" };
}
