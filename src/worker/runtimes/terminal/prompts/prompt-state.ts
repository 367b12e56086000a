/**
 * Where the sources of a prompt meet (ADR 13): the dialog that the screen shows and the calls that wait are one
 * prompt when they agree, and two when they do not. Whoever came first has stamped it. A pure state machine; ids come in as numbers.
 */
import type { WithdrawReason } from "../../../../sdk/adapter.js";
import type { WhyGone } from "../../../prompts/waiting-call.js";
import type { Candidate } from "../../../../sdk/candidate.js";
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

export interface RegistryState {
  /** In the order in which they were asked; at most one is drawn. */
  readonly lines: readonly RegistryEntry[];
  /** An answer to this one is being put in: its end is told by the receipt alone. */
  readonly answering: number | null;
  readonly nextKey: number;
}

export const EMPTY_BOOK: RegistryState = { lines: [], answering: null, nextKey: 1 };

export type BookInput =
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

export type BookOutput =
  | { readonly kind: "raise"; readonly line: RegistryEntry }
  | { readonly kind: "withdraw"; readonly line: RegistryEntry; readonly reason: WithdrawReason }
  /** The call's own dialog decides. */
  | { readonly kind: "release"; readonly call: Called }
  /** The dialog that still stands is another question from now on. */
  | { readonly kind: "ask_anew" }
  /** This dialog was answered, and is about to close. */
  | { readonly kind: "closing"; readonly dialog: Candidate };

export interface BookStep {
  readonly book: RegistryState;
  readonly outputs: readonly BookOutput[];
}

export function advanceBook(book: RegistryState, input: BookInput): BookStep {
  switch (input.kind) {
    case "drawn":
      return onDrawn(book, input.drawn);
    case "left":
      return onLeft(book, input.reason);
    case "called":
      return onCalled(book, input.called);
    case "call_gone":
      return onCallGone(book, input);
    case "moved_on":
      return onMovedOn(book, input.typed ? "answered_locally" : "left_screen");
    case "dropped":
      return onDropped(book, input.key);
    case "answering":
      return { book: { ...book, answering: input.key }, outputs: [] };
    case "answered":
      return onAnswered(book, input.how);
  }
}

/** The oldest call that it can be the drawing of: tools show their dialogs in the order of the calls. */
function onDrawn(before: RegistryState, drawn: Drawn): BookStep {
  // There is one screen: what stood there is gone, whoever forgot to say so.
  return chained(onLeft(before, "superseded"), (book) => joined(book, drawn));
}

function joined(book: RegistryState, drawn: Drawn): BookStep {
  const line = book.lines.find(({ drawn: other, call }) => !other && call?.ask.draws(drawn.candidate));
  return line
    ? replaced(book, { ...line, drawn, isTyped: false })
    : raised(book, { stampedBy: "screen", drawn, call: null });
}

function onCalled(book: RegistryState, called: Called): BookStep {
  const line = book.lines.find(
    ({ key, drawn, call }) => key !== book.answering && drawn && !call && called.ask.draws(drawn.candidate),
  );
  return line
    ? replaced(book, { ...line, call: called })
    : raised(book, { stampedBy: "call", drawn: null, call: called });
}

function onLeft(book: RegistryState, reason: WithdrawReason): BookStep {
  const line = book.lines.find(({ drawn }) => drawn !== null);
  if (!line) return still(book);
  const isTyped = reason === "answered_locally";
  const undrawn = { ...line, drawn: null, isTyped };
  if (line.key === book.answering) return replaced(book, undrawn);
  if (!line.call || (isTyped && !line.call.ask.tellsEnd)) return over(book, line, reason);
  // Its dialog is covered or drawn otherwise, or on its next page; the call still waits, and may be answered.
  if (line.stampedBy === "call") return replaced(book, undrawn);
  return raisedAgain(over(book, { ...line, call: null }, reason), line.call);
}

function onCallGone(
  book: RegistryState,
  { id, typed, why }: Extract<BookInput, { kind: "call_gone" }>,
): BookStep {
  const line = book.lines.find(({ call }) => call?.id === id);
  if (!line) return still(book);
  const uncalled = { ...line, call: null };
  // The rows of a dialog are answered with keys; with what was the call's, nobody could say which row is meant.
  if (line.key === book.answering || (line.drawn && line.stampedBy === "screen" && why === "lost"))
    return replaced(book, uncalled);
  const reason = whoAnswered(typed || line.isTyped === true, why);
  if (line.drawn && why !== "lost")
    return withOutput(over(book, uncalled, reason), { kind: "closing", dialog: line.drawn.candidate });
  if (!line.drawn || reason === "answered_locally") return over(book, uncalled, reason);
  return withOutput(over(book, uncalled, "superseded"), { kind: "ask_anew" });
}

function whoAnswered(isTyped: boolean, why: WhyGone): WithdrawReason {
  if (isTyped) return "answered_locally";
  return why === "answered" ? "answered_elsewhere" : "left_screen";
}

/** Its call is not let go: whoever drops the line asks it anew. */
function onDropped(book: RegistryState, key: number): BookStep {
  const line = book.lines.find((one) => one.key === key);
  if (!line || key === book.answering) return still(book);
  const dropped = over(book, { ...line, call: null }, "superseded");
  return line.drawn ? withOutput(dropped, { kind: "ask_anew" }) : dropped;
}

function onMovedOn(book: RegistryState, reason: WithdrawReason): BookStep {
  const undrawn = book.lines.filter(
    ({ key, drawn, call }) => !drawn && key !== book.answering && call?.ask.tellsEnd !== true,
  );
  return undrawn.reduce((step, line) => chained(step, (now) => over(now, line, reason)), still(book));
}

function onAnswered(book: RegistryState, how: "taken" | "refused" | "unsettled"): BookStep {
  const line = book.lines.find(({ key }) => key === book.answering);
  const after = { ...book, answering: null };
  if (!line) return still(after);
  if (how === "refused" && line.isTyped) return over(after, line, "answered_locally");
  if (how === "refused") return line.drawn || line.call ? still(after) : over(after, line, "left_screen");
  const removed = without(after, line);
  if (how === "taken")
    return line.call ? { book: removed, outputs: [{ kind: "release", call: line.call }] } : still(removed);
  // What another prompt is drawn by is not touched.
  const isFree = removed.lines.every(({ drawn }) => drawn === null);
  const anew = isFree ? withOutput(still(removed), { kind: "ask_anew" }) : still(removed);
  return line.call ? raisedAgain(anew, line.call) : anew;
}

function still(book: RegistryState): BookStep {
  return { book, outputs: [] };
}

function replaced(book: RegistryState, line: RegistryEntry): BookStep {
  return still({ ...book, lines: book.lines.map((other) => (other.key === line.key ? line : other)) });
}

function raised(book: RegistryState, sources: Omit<RegistryEntry, "key">): BookStep {
  const line = { key: book.nextKey, ...sources };
  return {
    book: { ...book, lines: [...book.lines, line], nextKey: book.nextKey + 1 },
    outputs: [{ kind: "raise", line }],
  };
}

function raisedAgain(step: BookStep, call: Called): BookStep {
  return chained(step, (book) => onCalled(book, call));
}

function over(book: RegistryState, line: RegistryEntry, reason: WithdrawReason): BookStep {
  const release: BookOutput[] = line.call ? [{ kind: "release", call: line.call }] : [];
  return { book: without(book, line), outputs: [{ kind: "withdraw", line, reason }, ...release] };
}

function without(book: RegistryState, { key }: RegistryEntry): RegistryState {
  return { ...book, lines: book.lines.filter((line) => line.key !== key) };
}

function withOutput({ book, outputs }: BookStep, output: BookOutput): BookStep {
  return { book, outputs: [...outputs, output] };
}

function chained({ book, outputs }: BookStep, next: (book: RegistryState) => BookStep): BookStep {
  const step = next(book);
  return { book: step.book, outputs: [...outputs, ...step.outputs] };
}
