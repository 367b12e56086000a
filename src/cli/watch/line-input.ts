/** Parses a typed line in `watch`. Pure: the same line and open prompts give the same step. */
import type { ListedPrompt } from "../../wire/listings.js";

export type WatchStep =
  | { readonly kind: "nothing" }
  | { readonly kind: "quit" }
  | { readonly kind: "list" }
  /** The next line answers this prompt. */
  | { readonly kind: "select"; readonly prompt: ListedPrompt }
  | {
      readonly kind: "answer";
      readonly prompt: ListedPrompt;
      readonly value: string;
      readonly text?: string;
      readonly acceptHidden?: true;
    }
  /** The same request, asked several times. */
  | { readonly kind: "together"; readonly shortIds: readonly string[]; readonly value: string }
  | { readonly kind: "again"; readonly prompt: ListedPrompt }
  | { readonly kind: "unclear"; readonly problem: string };

export interface KnownPrompts {
  readonly open: readonly ListedPrompt[];
  /** Settled prompts that may be asked again. */
  readonly ended?: readonly ListedPrompt[];
}

/**
 * `k7 2` answers, `k7` alone selects, `again k7` asks a settled prompt again, and after a selection the line itself is the
 * answer. A bare answer without a selection is never accepted, because another prompt may have arrived while it was typed.
 */
export function readWatchLine(
  line: string,
  { open, ended = [] }: KnownPrompts,
  selected: ListedPrompt | null,
): WatchStep {
  const typed = line.trim();
  if (selected) return typed === "" ? { kind: "list" } : parseAnswerStep(selected, typed);
  if (typed === "") return { kind: "nothing" };
  if (typed === "q" || typed === "quit") return { kind: "quit" };
  if (typed === "l" || typed === "list") return { kind: "list" };
  const [, settled] = /^again +(\S+)$/i.exec(typed) ?? [];
  const again = ended.find((candidate) => candidate.shortId === settled?.toLowerCase());
  if (again) return { kind: "again", prompt: again };
  const [, several, given] = TOGETHER.exec(typed) ?? [];
  if (several !== undefined && given !== undefined)
    return { kind: "together", shortIds: several.toLowerCase().split(","), value: given };
  const [shortId = "", ...rest] = typed.split(" ");
  const prompt = open.find((candidate) => candidate.shortId === shortId.toLowerCase());
  if (!prompt) return { kind: "unclear", problem: describeUnknown(shortId, open) };
  const value = rest.join(" ").trim();
  return value === "" ? { kind: "select", prompt } : parseAnswerStep(prompt, value);
}

/** `k7,k8 1` */
const TOGETHER = /^([a-z0-9]{2,6}(?:,[a-z0-9]{2,6}){1,50}) +(\S+)$/i;

/** For a choice, text after its number belongs to the choice; otherwise the whole line is the answer. */
function parseAnswerStep(prompt: ListedPrompt, line: string): WatchStep {
  const typed = prompt.content.hidden ? line.replace(ACCEPTING, "") : line;
  const answer = readAnswer(prompt, typed);
  return typed === line ? answer : { ...answer, acceptHidden: true };
}

/** Approves although something is hidden: `k7 accept hidden 1`. */
const ACCEPTING = /^accept[ -]hidden +/i;

function readAnswer(prompt: ListedPrompt, typed: string): Extract<WatchStep, { kind: "answer" }> {
  const withText = prompt.type === "multiple_choice" ? /^(\d{1,3}) +(.+)$/.exec(typed) : null;
  const [, value, text] = withText ?? [];
  if (value !== undefined && text !== undefined) return { kind: "answer", prompt, value, text };
  return { kind: "answer", prompt, value: typed };
}

function describeUnknown(shortId: string, open: readonly ListedPrompt[]): string {
  const known = open.map((prompt) => prompt.shortId).join(", ");
  return open.length === 0
    ? "No prompt is open."
    : `No open prompt is called ${JSON.stringify(shortId.slice(0, 20))}; open: ${known}. Type an id, or an id with its answer: ${open[0]?.shortId ?? ""} 1`;
}
