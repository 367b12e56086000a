/**
 * Several open prompts with the same request, answered together: the same tool, call, arguments, directory and choices, with no
 * part cut or hidden. Each gets its own claim, with its own nonce and its own audit row. A changed one is left out, and the reply
 * names it.
 */
import { findRejectingValue } from "../../../model/answer/rejecting.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import { parseLegalValue } from "../../../model/answer/reply.js";
import type { Identity, PromptId, ShortId } from "../../../model/ids.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { findGrantable } from "../../ledger/policy/grants.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { MessagePlace } from "../accept.js";
import { parseTypedAnswer } from "../answer-text.js";
import { wantsNumber } from "./number.js";
import { claim, refuseAnswer } from "../claim.js";

/** More at once are not read, only counted. */
export const ALIKE_MAX = 20;

export interface AlikePrompts {
  /** The yes that allows just this. */
  readonly value: string;
  readonly shown: string;
  readonly directory: string;
  readonly prompts: readonly PromptRow[];
}

interface Request {
  readonly key: string;
  readonly value: string;
  readonly shown: string;
  readonly directory: string;
}

/** What the prompt asks for, if it may be answered together with others that ask for the same; otherwise why not. */
function readRequest(ledger: Ledger, prompt: PromptRow): Request | string {
  const request = findGrantable(ledger, prompt);
  if (!request.ok) return request.why;
  return wantsNumber(prompt, request.value) ? "its yes needs a number" : request;
}

/** The open prompts of all sessions that are the same request, in the order of the oldest of each. */
export function listAlike(ledger: Ledger): AlikePrompts[] {
  const groups = new Map<string, { readonly request: Request; readonly prompts: PromptRow[] }>();
  for (const prompt of ledger.store.prompts.listOpen()) {
    if (prompt.state !== "pending" || prompt.event.content.call === undefined) continue;
    const request = readRequest(ledger, prompt);
    if (typeof request === "string") continue;
    const group = groups.get(request.key);
    if (group === undefined) groups.set(request.key, { request, prompts: [prompt] });
    else if (group.prompts.length < ALIKE_MAX) group.prompts.push(prompt);
  }
  return [...groups.values()]
    .filter(({ prompts }) => prompts.length > 1)
    .map(({ request: { value, shown, directory }, prompts }) => ({ value, shown, directory, prompts }));
}

export interface AnswerToSeveral {
  /** As typed: `1`, `yes`, `no`; null: the safe default, which is the no. */
  readonly words: string | null;
  readonly identity: Identity;
  readonly writtenAt?: MessagePlace;
}

export interface AlikeResult {
  readonly shortId: ShortId | string;
  readonly promptId: PromptId | null;
  readonly rejection: Refusal | null;
  readonly value: string | null;
}

/** Answers those of `named` that are the same request as the first of them that can be answered so. */
export function claimAlike(
  ledger: Ledger,
  tx: Transaction,
  named: readonly { readonly shortId: string; readonly prompt: PromptRow | null }[],
  answer: AnswerToSeveral,
): AlikeResult[] {
  const asked = named.map(({ shortId, prompt }) => {
    const request = prompt?.state === "pending" ? readRequest(ledger, prompt) : null;
    return { shortId, prompt, request };
  });
  const key = asked.flatMap(({ request }) =>
    typeof request === "object" && request ? [request.key] : [],
  )[0];
  return asked.map(({ shortId, prompt, request }) => {
    const found = checkAlike(prompt, request, key, answer.words);
    const { identity, writtenAt } = answer;
    const result =
      "value" in found
        ? claim(ledger, () => prompt && ledger.store.prompts.find(prompt.promptId), {
            value: found.value,
            identity,
            writtenAt,
          })
        : refuseAnswer(tx, prompt, identity, found);
    return result.claimed
      ? {
          shortId,
          promptId: result.prompt.promptId,
          rejection: null,
          value: "value" in found ? found.value : "",
        }
      : { shortId, promptId: result.promptId, rejection: result.rejection, value: null };
  });
}

/** A closed prompt is claimed, too: the claim reports who answered it, or why it ended. */
function checkAlike(
  prompt: PromptRow | null,
  request: Request | string | null,
  key: string | undefined,
  words: string | null,
): { readonly value: string } | Refusal {
  if (prompt === null) return createRefusal("unknown_prompt");
  if (request === null) return { value: "" };
  if (typeof request === "string") return createRefusal("not_alike", `It is answered alone: ${request}.`);
  if (request.key !== key) return createRefusal("not_alike");
  const value = readValue(prompt, request, words);
  return value === null
    ? createRefusal("option_unknown", "Together they take only a yes to just this, or a no.")
    : { value };
}

function readValue({ event }: PromptRow, { value: yes }: Request, words: string | null): string | null {
  const no = findRejectingValue(event);
  if (words === null || /^no?$/i.test(words.trim())) return no;
  if (/^y(?:es)?$/i.test(words.trim())) return yes;
  const typed = parseTypedAnswer(event, words);
  const legal = typed.text === undefined ? parseLegalValue(event, typed.value) : null;
  return legal?.ok === true && (legal.value === yes || legal.value === no) ? legal.value : null;
}
