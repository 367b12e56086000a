/**
 * Merges the sources of a prompt (ADR 13): the dialog on the screen and a pending request are one prompt when they match. The source that
 * came first has stamped it. A dialog that shows none of the calls that wait is no prompt until none waits: anybody can paint over a
 * terminal, and only the tool knows its call. A pure state machine; ids are passed in as numbers.
 */
import type { WithdrawReason } from "../../../../sdk/adapter.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";

export interface DrawnCandidate {
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
  /** The source of the question, choices and content that people see. */
  readonly stampedBy: "screen" | "request";
  readonly drawn: DrawnCandidate | null;
  readonly waiting: WaitingRequest | null;
  /** An answer was typed at its dialog, and it is not over yet: an answer of ours is on its way, or its request has yet to end. */
  readonly isTyped?: boolean;
  /** While its call waited, the screen showed a dialog of none of the calls. */
  readonly differs?: boolean;
}

export interface RegistryState {
  /** In the order in which they were raised; at most one is drawn. */
  readonly entries: readonly RegistryEntry[];
  /** The dialog on the screen, if it shows none of the calls that wait. */
  readonly aside: DrawnCandidate | null;
  /** An answer to this one is being injected: its end is reported by the receipt alone. */
  readonly answering: number | null;
  readonly nextKey: number;
}

export const EMPTY_REGISTRY: RegistryState = { entries: [], aside: null, answering: null, nextKey: 1 };

export type RegistryInput =
  | { readonly kind: "drawn"; readonly drawn: DrawnCandidate }
  /** The dialog left the screen. */
  | { readonly kind: "left"; readonly reason: Exclude<WithdrawReason, "session_ended"> }
  | { readonly kind: "opened"; readonly waiting: WaitingRequest }
  /**
   * The tool stopped waiting for the request by itself. `typed`: just after an answer was typed at its dialog. `why`: tells
   * whether its dialog may still be open.
   */
  | { readonly kind: "ended"; readonly id: number; readonly typed: boolean; readonly why: RequestEnd }
  /** The tool is not blocked: what is not drawn was answered or dropped without a report. `typed`: as above. */
  | { readonly kind: "moved_on"; readonly typed: boolean }
  /** People want it raised again, and it is still open: from now on it is another prompt. */
  | { readonly kind: "dropped"; readonly key: number }
  | { readonly kind: "answering"; readonly key: number }
  /** The result of the answer. `refused`: not injected, and the prompt is as open as before. */
  | { readonly kind: "answered"; readonly how: "taken" | "refused" | "unsettled" };

export type RegistryOutput =
  | { readonly kind: "raise"; readonly entry: RegistryEntry }
  | { readonly kind: "withdraw"; readonly entry: RegistryEntry; readonly reason: WithdrawReason }
  /** The screen shows a dialog of none of the calls that wait. */
  | { readonly kind: "differs"; readonly entry: RegistryEntry }
  /** The request is left to its own dialog. */
  | { readonly kind: "release"; readonly waiting: WaitingRequest }
  /** The dialog that is still open becomes another prompt. */
  | { readonly kind: "ask_anew" }
  /** This dialog was answered, and is about to close. */
  | { readonly kind: "closing"; readonly dialog: Candidate }
  /** An effect of our keys was seen on this dialog, and it is still drawn. */
  | { readonly kind: "answered"; readonly dialog: Candidate };

export interface RegistryStep {
  readonly registry: RegistryState;
  readonly outputs: readonly RegistryOutput[];
}

export function advanceRegistry(registry: RegistryState, input: RegistryInput): RegistryStep {
  const step = chainStep(advance(registry, input), putCallsFirst);
  const { aside } = step.registry;
  if (aside === null || step.registry.entries.some(isCall)) return step;
  // The dialog of a call that was answered is about to close. Of one that was lost, the tool still asks.
  const isLost = input.kind === "ended" && input.why === "lost" && registry.answering === null;
  return addOutput(
    { ...step, registry: { ...step.registry, aside: null } },
    isLost ? { kind: "ask_anew" } : { kind: "closing", dialog: aside.candidate },
  );
}

/** While a call waits, a dialog that shows none of the calls is no prompt, unless its answer is on its way. */
function putCallsFirst(registry: RegistryState): RegistryStep {
  if (!registry.entries.some(isCall)) return keepState(registry);
  for (const entry of registry.entries) {
    const { key, drawn, waiting } = entry;
    if (drawn && !waiting && key !== registry.answering)
      return chainStep(withdrawEntry(registry, entry, "superseded"), (now) => setAside(now, drawn));
  }
  return registry.aside ? setAside(registry, registry.aside) : keepState(registry);
}

/** A call whose dialog the tool draws. */
function isCall({ waiting }: RegistryEntry): boolean {
  return waiting?.request.isDrawnBy !== undefined;
}

function advance(registry: RegistryState, input: RegistryInput): RegistryStep {
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
      return onMovedOn(registry, input.typed ? "answered_locally" : "taken_back");
    case "dropped":
      return onDropped(registry, input.key);
    case "answering":
      return { registry: { ...registry, answering: input.key }, outputs: [] };
    case "answered":
      return onAnswered(registry, input.how);
  }
}

/** Assigns a dialog to the oldest request that matches it: tools show their dialogs in the order of the requests. */
function onDrawn(before: RegistryState, drawn: DrawnCandidate): RegistryStep {
  // There is one screen: the previous dialog is gone, even if that was not reported.
  return chainStep(onLeft(before, "superseded"), (registry) => joinDrawn(registry, drawn));
}

function joinDrawn(registry: RegistryState, drawn: DrawnCandidate): RegistryStep {
  const entry = registry.entries.find(
    ({ drawn: other, waiting }) => !other && waiting?.request.isDrawnBy?.(drawn.candidate),
  );
  if (entry) return replaceEntry(registry, { ...entry, drawn, isTyped: false });
  return registry.entries.some(isCall)
    ? setAside(registry, drawn)
    : raiseEntry(registry, { stampedBy: "screen", drawn, waiting: null });
}

function onOpened(registry: RegistryState, waiting: WaitingRequest): RegistryStep {
  const shows = (drawn: DrawnCandidate): boolean => waiting.request.isDrawnBy?.(drawn.candidate) === true;
  const { aside } = registry;
  if (aside && shows(aside))
    return raiseEntry({ ...registry, aside: null }, { stampedBy: "request", drawn: aside, waiting });
  const entry = registry.entries.find(
    ({ key, drawn, waiting: other }) => key !== registry.answering && drawn && !other && shows(drawn),
  );
  return entry
    ? replaceEntry(registry, { ...entry, waiting })
    : raiseEntry(registry, { stampedBy: "request", drawn: null, waiting });
}

function setAside(registry: RegistryState, aside: DrawnCandidate): RegistryStep {
  const differs = (entry: RegistryEntry): boolean => isCall(entry) && entry.drawn === null && !entry.differs;
  const entries = registry.entries.map((entry) => (differs(entry) ? { ...entry, differs: true } : entry));
  return {
    registry: { ...registry, aside, entries },
    outputs: registry.entries.filter(differs).map((entry) => ({ kind: "differs", entry })),
  };
}

function onLeft(before: RegistryState, reason: WithdrawReason): RegistryStep {
  const registry = { ...before, aside: null };
  const entry = registry.entries.find(({ drawn }) => drawn !== null);
  if (!entry) return keepState(registry);
  const isTyped = reason === "answered_locally";
  const undrawn = { ...entry, drawn: null, isTyped };
  if (entry.key === registry.answering) return replaceEntry(registry, undrawn);
  if (!entry.waiting || (isTyped && !entry.waiting.request.reportsEnd))
    return withdrawEntry(registry, entry, reason);
  // Its dialog is covered, drawn differently, or on its next page; the request is still pending, and may be answered.
  if (entry.stampedBy === "request") return replaceEntry(registry, undrawn);
  return raiseAgain(withdrawEntry(registry, { ...entry, waiting: null }, reason), entry.waiting);
}

function onEnded(
  registry: RegistryState,
  { id, typed, why }: Extract<RegistryInput, { kind: "ended" }>,
): RegistryStep {
  const entry = registry.entries.find(({ waiting }) => waiting?.id === id);
  if (!entry) return keepState(registry);
  const dialogOnly = { ...entry, waiting: null };
  // The rows of a dialog are answered with keys. With a value of the request it would be unclear which row is meant.
  if (entry.key === registry.answering || (entry.drawn && entry.stampedBy === "screen" && why === "lost"))
    return replaceEntry(registry, dialogOnly);
  const reason = findWithdrawReason(typed || entry.isTyped === true, why);
  if (entry.drawn && why !== "lost")
    return addOutput(withdrawEntry(registry, dialogOnly, reason), {
      kind: "closing",
      dialog: entry.drawn.candidate,
    });
  if (!entry.drawn || reason === "answered_locally") return withdrawEntry(registry, dialogOnly, reason);
  return addOutput(withdrawEntry(registry, dialogOnly, "superseded"), { kind: "ask_anew" });
}

function findWithdrawReason(isTyped: boolean, why: RequestEnd): WithdrawReason {
  if (isTyped) return "answered_locally";
  if (why === "answered") return "answered_elsewhere";
  return why === "lost" ? "request_lost" : "taken_back";
}

/** Its request is not released: the caller that drops the entry raises it again. */
function onDropped(registry: RegistryState, key: number): RegistryStep {
  const entry = registry.entries.find((one) => one.key === key);
  if (!entry || key === registry.answering) return keepState(registry);
  const dropped = withdrawEntry(registry, { ...entry, waiting: null }, "superseded");
  return entry.drawn ? addOutput(dropped, { kind: "ask_anew" }) : dropped;
}

function onMovedOn(registry: RegistryState, reason: WithdrawReason): RegistryStep {
  const undrawn = registry.entries.filter(
    ({ key, drawn, waiting }) => !drawn && key !== registry.answering && waiting?.request.reportsEnd !== true,
  );
  return undrawn.reduce(
    (step, entry) => chainStep(step, (now) => withdrawEntry(now, entry, reason)),
    keepState(registry),
  );
}

function onAnswered(registry: RegistryState, how: "taken" | "refused" | "unsettled"): RegistryStep {
  const entry = registry.entries.find(({ key }) => key === registry.answering);
  const after = { ...registry, answering: null };
  if (!entry) return keepState(after);
  if (how === "refused" && entry.isTyped) return withdrawEntry(after, entry, "answered_locally");
  if (how === "refused")
    return entry.drawn || entry.waiting ? keepState(after) : withdrawEntry(after, entry, "left_screen");
  const removed = removeEntry(after, entry);
  if (how === "taken") {
    const { drawn, waiting } = entry;
    const taken = drawn
      ? addOutput(keepState(removed), { kind: "answered", dialog: drawn.candidate })
      : keepState(removed);
    return waiting ? addOutput(taken, { kind: "release", waiting }) : taken;
  }
  // A dialog that belongs to another prompt is left alone.
  const isFree = removed.entries.every(({ drawn }) => drawn === null);
  const anew = isFree ? addOutput(keepState(removed), { kind: "ask_anew" }) : keepState(removed);
  return entry.waiting ? raiseAgain(anew, entry.waiting) : anew;
}

function keepState(registry: RegistryState): RegistryStep {
  return { registry, outputs: [] };
}

function replaceEntry(registry: RegistryState, entry: RegistryEntry): RegistryStep {
  return keepState({
    ...registry,
    entries: registry.entries.map((other) => (other.key === entry.key ? entry : other)),
  });
}

function raiseEntry(registry: RegistryState, sources: Omit<RegistryEntry, "key">): RegistryStep {
  const entry = { key: registry.nextKey, ...sources };
  return {
    registry: { ...registry, entries: [...registry.entries, entry], nextKey: registry.nextKey + 1 },
    outputs: [{ kind: "raise", entry }],
  };
}

function raiseAgain(step: RegistryStep, waiting: WaitingRequest): RegistryStep {
  return chainStep(step, (registry) => onOpened(registry, waiting));
}

function withdrawEntry(registry: RegistryState, entry: RegistryEntry, reason: WithdrawReason): RegistryStep {
  const release: RegistryOutput[] = entry.waiting ? [{ kind: "release", waiting: entry.waiting }] : [];
  return {
    registry: removeEntry(registry, entry),
    outputs: [{ kind: "withdraw", entry, reason }, ...release],
  };
}

function removeEntry(registry: RegistryState, { key }: RegistryEntry): RegistryState {
  return { ...registry, entries: registry.entries.filter((entry) => entry.key !== key) };
}

function addOutput({ registry, outputs }: RegistryStep, output: RegistryOutput): RegistryStep {
  return { registry, outputs: [...outputs, output] };
}

function chainStep(
  { registry, outputs }: RegistryStep,
  next: (registry: RegistryState) => RegistryStep,
): RegistryStep {
  const step = next(registry);
  return { registry: step.registry, outputs: [...outputs, ...step.outputs] };
}
