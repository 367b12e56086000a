/**
 * Where the sources of a prompt meet (ADR 13): the dialog that the screen shows and the calls that wait are one
 * prompt when they agree, and two when they do not. Whoever came first has stamped it. A pure state machine; ids come in as numbers.
 */
import { invariant } from "../../../../model/errors.js";
import type { PromptSource } from "../../../../model/prompt.js";
import type { WithdrawReason } from "../../../../sdk/adapter.js";
import type { WhyGone } from "../../../prompts/waiting-call.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { StampedPrompt } from "../../../detection/stamp.js";
import type { CallRequest } from "../../../prompts/call-ask.js";

export interface Drawn {
  readonly candidate: Candidate;
  readonly epoch: number;
}

export interface Called {
  readonly id: number;
  readonly ask: CallRequest;
}

/** One prompt. It has at least one of its two sources. */
export interface RegistryEntry {
  readonly key: number;
  /** Whose question, choices and content people see. */
  readonly stampedBy: "screen" | "call";
  readonly drawn: Drawn | null;
  readonly call: Called | null;
  /** An answer was typed at its dialog, and it is not over yet: an answer of ours is on its way, or its call has yet to tell its end. */
  readonly isTyped?: boolean;
}

/**
 * What people see of an entry, and where that came from. Each request is a prompt of its own, however equal: the how manieth it is
 * takes the place of the epoch.
 */
export function questionIn({ stampedBy, drawn, call }: RegistryEntry): {
  readonly question: StampedPrompt;
  readonly epoch: number;
  readonly source: PromptSource;
} {
  if (stampedBy === "call") {
    invariant(call, "an entry of a request has none");
    return { question: call.ask.question, epoch: call.id, source: call.ask.source };
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
  | { readonly kind: "called"; readonly called: Called }
  /**
   * The tool stopped waiting for the call by itself; `typed`: just after an answer was typed at its dialog; `why`: whether its dialog
   * may stand.
   */
  | { readonly kind: "call_gone"; readonly id: number; readonly typed: boolean; readonly why: WhyGone }
  /** The tool waits for nobody: what is not drawn was answered or dropped without a word; `typed`: as above. */
  | { readonly kind: "moved_on"; readonly typed: boolean }
  /** People want it asked again, and it stands: from now on it is another question. */
  | { readonly kind: "dropped"; readonly key: number }
  | { readonly kind: "answering"; readonly key: number }
  /** What became of the answer. `refused`: not put in, and the question stands as it was. */
  | { readonly kind: "answered"; readonly how: "taken" | "refused" | "unsettled" };

export type RegistryOutput =
  | { readonly kind: "raise"; readonly line: RegistryEntry }
  | { readonly kind: "withdraw"; readonly line: RegistryEntry; readonly reason: WithdrawReason }
  /** The call's own dialog decides. */
  | { readonly kind: "release"; readonly call: Called }
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
    case "called":
      return onCalled(registry, input.called);
    case "call_gone":
      return onCallGone(registry, input);
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

/** The oldest call that it can be the drawing of: tools show their dialogs in the order of the calls. */
function onDrawn(before: RegistryState, drawn: Drawn): RegistryStep {
  // There is one screen: what stood there is gone, whoever forgot to say so.
  return chained(onLeft(before, "superseded"), (registry) => joined(registry, drawn));
}

function joined(registry: RegistryState, drawn: Drawn): RegistryStep {
  const line = registry.entries.find(({ drawn: other, call }) => !other && call?.ask.draws(drawn.candidate));
  return line
    ? replaced(registry, { ...line, drawn, isTyped: false })
    : raised(registry, { stampedBy: "screen", drawn, call: null });
}

function onCalled(registry: RegistryState, called: Called): RegistryStep {
  const line = registry.entries.find(
    ({ key, drawn, call }) =>
      key !== registry.answering && drawn && !call && called.ask.draws(drawn.candidate),
  );
  return line
    ? replaced(registry, { ...line, call: called })
    : raised(registry, { stampedBy: "call", drawn: null, call: called });
}

function onLeft(registry: RegistryState, reason: WithdrawReason): RegistryStep {
  const line = registry.entries.find(({ drawn }) => drawn !== null);
  if (!line) return still(registry);
  const isTyped = reason === "answered_locally";
  const undrawn = { ...line, drawn: null, isTyped };
  if (line.key === registry.answering) return replaced(registry, undrawn);
  if (!line.call || (isTyped && !line.call.ask.tellsEnd)) return over(registry, line, reason);
  // Its dialog is covered or drawn otherwise, or on its next page; the call still waits, and may be answered.
  if (line.stampedBy === "call") return replaced(registry, undrawn);
  return raisedAgain(over(registry, { ...line, call: null }, reason), line.call);
}

function onCallGone(
  registry: RegistryState,
  { id, typed, why }: Extract<RegistryInput, { kind: "call_gone" }>,
): RegistryStep {
  const line = registry.entries.find(({ call }) => call?.id === id);
  if (!line) return still(registry);
  const uncalled = { ...line, call: null };
  // The rows of a dialog are answered with keys; with what was the call's, nobody could say which row is meant.
  if (line.key === registry.answering || (line.drawn && line.stampedBy === "screen" && why === "lost"))
    return replaced(registry, uncalled);
  const reason = whoAnswered(typed || line.isTyped === true, why);
  if (line.drawn && why !== "lost")
    return withOutput(over(registry, uncalled, reason), { kind: "closing", dialog: line.drawn.candidate });
  if (!line.drawn || reason === "answered_locally") return over(registry, uncalled, reason);
  return withOutput(over(registry, uncalled, "superseded"), { kind: "ask_anew" });
}

function whoAnswered(isTyped: boolean, why: WhyGone): WithdrawReason {
  if (isTyped) return "answered_locally";
  return why === "answered" ? "answered_elsewhere" : "left_screen";
}

/** Its call is not let go: whoever drops the line asks it anew. */
function onDropped(registry: RegistryState, key: number): RegistryStep {
  const line = registry.entries.find((one) => one.key === key);
  if (!line || key === registry.answering) return still(registry);
  const dropped = over(registry, { ...line, call: null }, "superseded");
  return line.drawn ? withOutput(dropped, { kind: "ask_anew" }) : dropped;
}

function onMovedOn(registry: RegistryState, reason: WithdrawReason): RegistryStep {
  const undrawn = registry.entries.filter(
    ({ key, drawn, call }) => !drawn && key !== registry.answering && call?.ask.tellsEnd !== true,
  );
  return undrawn.reduce((step, line) => chained(step, (now) => over(now, line, reason)), still(registry));
}

function onAnswered(registry: RegistryState, how: "taken" | "refused" | "unsettled"): RegistryStep {
  const line = registry.entries.find(({ key }) => key === registry.answering);
  const after = { ...registry, answering: null };
  if (!line) return still(after);
  if (how === "refused" && line.isTyped) return over(after, line, "answered_locally");
  if (how === "refused") return line.drawn || line.call ? still(after) : over(after, line, "left_screen");
  const removed = without(after, line);
  if (how === "taken")
    return line.call
      ? { registry: removed, outputs: [{ kind: "release", call: line.call }] }
      : still(removed);
  // What another prompt is drawn by is not touched.
  const isFree = removed.entries.every(({ drawn }) => drawn === null);
  const anew = isFree ? withOutput(still(removed), { kind: "ask_anew" }) : still(removed);
  return line.call ? raisedAgain(anew, line.call) : anew;
}

function still(registry: RegistryState): RegistryStep {
  return { registry, outputs: [] };
}

function replaced(registry: RegistryState, line: RegistryEntry): RegistryStep {
  return still({
    ...registry,
    entries: registry.entries.map((other) => (other.key === line.key ? line : other)),
  });
}

function raised(registry: RegistryState, sources: Omit<RegistryEntry, "key">): RegistryStep {
  const line = { key: registry.nextKey, ...sources };
  return {
    registry: { ...registry, entries: [...registry.entries, line], nextKey: registry.nextKey + 1 },
    outputs: [{ kind: "raise", line }],
  };
}

function raisedAgain(step: RegistryStep, call: Called): RegistryStep {
  return chained(step, (registry) => onCalled(registry, call));
}

function over(registry: RegistryState, line: RegistryEntry, reason: WithdrawReason): RegistryStep {
  const release: RegistryOutput[] = line.call ? [{ kind: "release", call: line.call }] : [];
  return { registry: without(registry, line), outputs: [{ kind: "withdraw", line, reason }, ...release] };
}

function without(registry: RegistryState, { key }: RegistryEntry): RegistryState {
  return { ...registry, entries: registry.entries.filter((line) => line.key !== key) };
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
