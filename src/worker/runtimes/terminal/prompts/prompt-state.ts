/**
 * Where the sources of a prompt meet (ADR 13): the dialog that the screen shows and the requests that wait are one
 * prompt when they agree, and two when they do not. Whoever came first has stamped it. A pure state machine; ids come in as numbers.
 */
import { invariant } from "../../../../model/errors.js";
import type { PromptSource } from "../../../../model/prompt.js";
import type { WithdrawReason } from "../../../../sdk/adapter.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { StampedPrompt } from "../../../detection/stamp.js";
import { sourceOf, type PendingRequest } from "../../../prompts/pending-request.js";

export interface Drawn {
  readonly candidate: Candidate;
  readonly epoch: number;
}

export interface WaitingRequest {
  readonly id: number;
  readonly request: PendingRequest;
  readonly path: ReplyPath;
}

/** One prompt. It has at least one of its two sources. */
export interface RegistryEntry {
  readonly key: number;
  /** Whose question, choices and content people see. */
  readonly stampedBy: "screen" | "request";
  readonly drawn: Drawn | null;
  readonly waiting: WaitingRequest | null;
  /** An answer was typed at its dialog, and it is not over yet: an answer of ours is on its way, or its request has yet to end. */
  readonly isTyped?: boolean;
}

/**
 * What people see of an entry, and where that came from. Each request is a prompt of its own, however equal: the how manieth it is
 * takes the place of the epoch.
 */
export function questionIn({ stampedBy, drawn, waiting }: RegistryEntry): {
  readonly question: StampedPrompt;
  readonly epoch: number;
  readonly source: PromptSource;
} {
  if (stampedBy === "request") {
    invariant(waiting, "an entry of a request has none");
    return { question: waiting.request.question, epoch: waiting.id, source: sourceOf(waiting.request) };
  }
  invariant(drawn, "an entry of a dialog has none");
  const { candidate, epoch } = drawn;
  return { question: candidate, epoch, source: { kind: "screen", name: candidate.rule } };
}

export interface RegistryState {
  /** In the order in which they were asked; at most one is drawn. */
  readonly entries: readonly RegistryEntry[];
  /** An answer to this one is being put in: its end is told by the receipt alone. */
  readonly answering: number | null;
  readonly nextKey: number;
}

export const EMPTY_REGISTRY: RegistryState = { entries: [], answering: null, nextKey: 1 };

export type RegistryInput =
  | { readonly kind: "drawn"; readonly drawn: Drawn }
  /** The dialog left the screen. */
  | { readonly kind: "left"; readonly reason: Exclude<WithdrawReason, "session_ended"> }
  | { readonly kind: "opened"; readonly waiting: WaitingRequest }
  /**
   * The tool stopped waiting for the request by itself; `typed`: just after an answer was typed at its dialog; `why`: whether its dialog
   * may stand.
   */
  | { readonly kind: "ended"; readonly id: number; readonly typed: boolean; readonly why: RequestEnd }
  /** The tool waits for nobody: what is not drawn was answered or dropped without a word; `typed`: as above. */
  | { readonly kind: "moved_on"; readonly typed: boolean }
  /** People want it asked again, and it stands: from now on it is another question. */
  | { readonly kind: "dropped"; readonly key: number }
  | { readonly kind: "answering"; readonly key: number }
  /** What became of the answer. `refused`: not put in, and the question stands as it was. */
  | { readonly kind: "answered"; readonly how: "taken" | "refused" | "unsettled" };

export type RegistryOutput =
  | { readonly kind: "raise"; readonly entry: RegistryEntry }
  | { readonly kind: "withdraw"; readonly entry: RegistryEntry; readonly reason: WithdrawReason }
  /** The request's own dialog decides. */
  | { readonly kind: "release"; readonly waiting: WaitingRequest }
  /** The dialog that still stands is another question from now on. */
  | { readonly kind: "ask_anew" }
  /** This dialog was answered, and is about to close. */
  | { readonly kind: "closing"; readonly dialog: Candidate };

export interface RegistryStep {
  readonly registry: RegistryState;
  readonly outputs: readonly RegistryOutput[];
}

export function advanceRegistry(registry: RegistryState, input: RegistryInput): RegistryStep {
  switch (input.kind) {
    case "drawn":
      return onDrawn(registry, input.drawn);
    case "left":
      return onLeft(registry, input.reason);
    case "opened":
      return onOpened(registry, input.waiting);
    case "ended":
      return onEnded(registry, input);
    case "moved_on":
      return onMovedOn(registry, input.typed ? "answered_locally" : "left_screen");
    case "dropped":
      return onDropped(registry, input.key);
    case "answering":
      return { registry: { ...registry, answering: input.key }, outputs: [] };
    case "answered":
      return onAnswered(registry, input.how);
  }
}

/** The oldest request that it can be the drawing of: tools show their dialogs in the order of the requests. */
function onDrawn(before: RegistryState, drawn: Drawn): RegistryStep {
  // There is one screen: what stood there is gone, whoever forgot to say so.
  return chained(onLeft(before, "superseded"), (registry) => joined(registry, drawn));
}

function joined(registry: RegistryState, drawn: Drawn): RegistryStep {
  const entry = registry.entries.find(
    ({ drawn: other, waiting }) => !other && waiting?.request.isDrawnBy?.(drawn.candidate),
  );
  return entry
    ? replaced(registry, { ...entry, drawn, isTyped: false })
    : raised(registry, { stampedBy: "screen", drawn, waiting: null });
}

function onOpened(registry: RegistryState, waiting: WaitingRequest): RegistryStep {
  const entry = registry.entries.find(
    ({ key, drawn, waiting: other }) =>
      key !== registry.answering && drawn && !other && waiting.request.isDrawnBy?.(drawn.candidate),
  );
  return entry
    ? replaced(registry, { ...entry, waiting })
    : raised(registry, { stampedBy: "request", drawn: null, waiting });
}

function onLeft(registry: RegistryState, reason: WithdrawReason): RegistryStep {
  const entry = registry.entries.find(({ drawn }) => drawn !== null);
  if (!entry) return still(registry);
  const isTyped = reason === "answered_locally";
  const undrawn = { ...entry, drawn: null, isTyped };
  if (entry.key === registry.answering) return replaced(registry, undrawn);
  if (!entry.waiting || (isTyped && !entry.waiting.request.reportsEnd)) return over(registry, entry, reason);
  // Its dialog is covered or drawn otherwise, or on its next page; the request still waits, and may be answered.
  if (entry.stampedBy === "request") return replaced(registry, undrawn);
  return raisedAgain(over(registry, { ...entry, waiting: null }, reason), entry.waiting);
}

function onEnded(
  registry: RegistryState,
  { id, typed, why }: Extract<RegistryInput, { kind: "ended" }>,
): RegistryStep {
  const entry = registry.entries.find(({ waiting }) => waiting?.id === id);
  if (!entry) return still(registry);
  const dialogOnly = { ...entry, waiting: null };
  // The rows of a dialog are answered with keys; with what was the request's, nobody could say which row is meant.
  if (entry.key === registry.answering || (entry.drawn && entry.stampedBy === "screen" && why === "lost"))
    return replaced(registry, dialogOnly);
  const reason = whoAnswered(typed || entry.isTyped === true, why);
  if (entry.drawn && why !== "lost")
    return withOutput(over(registry, dialogOnly, reason), { kind: "closing", dialog: entry.drawn.candidate });
  if (!entry.drawn || reason === "answered_locally") return over(registry, dialogOnly, reason);
  return withOutput(over(registry, dialogOnly, "superseded"), { kind: "ask_anew" });
}

function whoAnswered(isTyped: boolean, why: RequestEnd): WithdrawReason {
  if (isTyped) return "answered_locally";
  return why === "answered" ? "answered_elsewhere" : "left_screen";
}

/** Its request is not let go: whoever drops the entry asks it anew. */
function onDropped(registry: RegistryState, key: number): RegistryStep {
  const entry = registry.entries.find((one) => one.key === key);
  if (!entry || key === registry.answering) return still(registry);
  const dropped = over(registry, { ...entry, waiting: null }, "superseded");
  return entry.drawn ? withOutput(dropped, { kind: "ask_anew" }) : dropped;
}

function onMovedOn(registry: RegistryState, reason: WithdrawReason): RegistryStep {
  const undrawn = registry.entries.filter(
    ({ key, drawn, waiting }) => !drawn && key !== registry.answering && waiting?.request.reportsEnd !== true,
  );
  return undrawn.reduce((step, entry) => chained(step, (now) => over(now, entry, reason)), still(registry));
}

function onAnswered(registry: RegistryState, how: "taken" | "refused" | "unsettled"): RegistryStep {
  const entry = registry.entries.find(({ key }) => key === registry.answering);
  const after = { ...registry, answering: null };
  if (!entry) return still(after);
  if (how === "refused" && entry.isTyped) return over(after, entry, "answered_locally");
  if (how === "refused")
    return entry.drawn || entry.waiting ? still(after) : over(after, entry, "left_screen");
  const removed = without(after, entry);
  if (how === "taken")
    return entry.waiting
      ? { registry: removed, outputs: [{ kind: "release", waiting: entry.waiting }] }
      : still(removed);
  // What another prompt is drawn by is not touched.
  const isFree = removed.entries.every(({ drawn }) => drawn === null);
  const anew = isFree ? withOutput(still(removed), { kind: "ask_anew" }) : still(removed);
  return entry.waiting ? raisedAgain(anew, entry.waiting) : anew;
}

function still(registry: RegistryState): RegistryStep {
  return { registry, outputs: [] };
}

function replaced(registry: RegistryState, entry: RegistryEntry): RegistryStep {
  return still({
    ...registry,
    entries: registry.entries.map((other) => (other.key === entry.key ? entry : other)),
  });
}

function raised(registry: RegistryState, sources: Omit<RegistryEntry, "key">): RegistryStep {
  const entry = { key: registry.nextKey, ...sources };
  return {
    registry: { ...registry, entries: [...registry.entries, entry], nextKey: registry.nextKey + 1 },
    outputs: [{ kind: "raise", entry }],
  };
}

function raisedAgain(step: RegistryStep, waiting: WaitingRequest): RegistryStep {
  return chained(step, (registry) => onOpened(registry, waiting));
}

function over(registry: RegistryState, entry: RegistryEntry, reason: WithdrawReason): RegistryStep {
  const release: RegistryOutput[] = entry.waiting ? [{ kind: "release", waiting: entry.waiting }] : [];
  return { registry: without(registry, entry), outputs: [{ kind: "withdraw", entry, reason }, ...release] };
}

function without(registry: RegistryState, { key }: RegistryEntry): RegistryState {
  return { ...registry, entries: registry.entries.filter((entry) => entry.key !== key) };
}

function withOutput({ registry, outputs }: RegistryStep, output: RegistryOutput): RegistryStep {
  return { registry, outputs: [...outputs, output] };
}

function chained(
  { registry, outputs }: RegistryStep,
  next: (registry: RegistryState) => RegistryStep,
): RegistryStep {
  const step = next(registry);
  return { registry: step.registry, outputs: [...outputs, ...step.outputs] };
}
