/** `show k7` shows an open prompt; "Yes to these 3" and `answer k7,k8,k9 1` answer several that are the same request. */
import type { InboundResponse } from "../../sdk/channel.js";
import { TOKEN_BYTES } from "../delivery/notices/buttons.js";
import { describeAnswer } from "../delivery/notices/outcome-text.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";
import {
  ALIKE_MAX,
  claimAlike,
  listAlike,
  type AlikePrompts,
  type AlikeResult,
} from "../prompts/approval/alike.js";
import type { SessionTap } from "./relay-command.js";
import { describeCut } from "../../model/cut-words.js";
import { offerButton } from "../ledger/offer-button.js";
import { mayApprove } from "../ledger/policy/prompt-people.js";
import { isSentTo } from "../prompts/claim.js";

const SEVERAL = /^\/?answer(?:@\w{1,64})? +([a-z0-9]{2,6}(?: *, *[a-z0-9]{2,6}){1,50}) +(\S[\s\S]*)$/i;
const SHOW = /^\/?show(?:@\w{1,64})? +([a-z0-9]{2,6})$/i;

const PREFIX = "alike:";
/** The most buttons under a list. */
const GROUPS_MAX = 5;

type AlikeButton = NonNullable<InboundResponse["buttons"]>[number];

export function runAlikeCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): InboundResponse | null {
  const shown = SHOW.exec(text.trim())?.[1];
  if (shown !== undefined) return showPrompt(ledger, shown.toLowerCase(), requester);
  const [, ids, words] = SEVERAL.exec(text.trim()) ?? [];
  if (ids === undefined || words === undefined) return null;
  const shortIds = [...new Set(ids.toLowerCase().split(/ *, */))];
  if (shortIds.length > ALIKE_MAX)
    return { text: `Name ${ALIKE_MAX} prompts at most. Nothing was answered.`, alert: true };
  const named = shortIds.map((shortId) => ({ shortId, prompt: ledger.store.prompts.findByShortId(shortId) }));
  const { identity, configuredChannel, place } = requester;
  const writtenAt = { channel: configuredChannel.id, place };
  return describeResults(ledger, claimAlike(ledger, tx, named, { words, identity, writtenAt }));
}

export function offerAlike(
  ledger: Ledger,
  requester: Requester,
): { readonly lines: string[]; readonly buttons: AlikeButton[] } {
  const groups = listAlike(ledger)
    .map((group) => ({
      ...group,
      prompts: group.prompts.filter((prompt) => isFor(ledger, prompt, requester)),
    }))
    .filter(({ prompts }) => prompts.length > 1)
    .slice(0, GROUPS_MAX);
  return {
    lines: groups.map((group) => describeGroup(ledger, group)),
    buttons: groups.flatMap((group) => offerGroup(ledger, group, requester)),
  };
}

function describeGroup(ledger: Ledger, { shown, directory, prompts }: AlikePrompts): string {
  const ids = prompts.map(({ shortId }) => shortId);
  return ledger.options.safeText(
    `Same request, ${ids.length} times: ${shown} · ${directory}\n  answer ${ids.join(",")} yes`,
  );
}

/** The token belongs to a card of the chat; it names the prompts themselves, so a button that is tapped late reaches no other. */
function offerGroup(
  ledger: Ledger,
  { prompts }: AlikePrompts,
  { configuredChannel, place }: Requester,
): AlikeButton[] {
  if (configuredChannel.capabilities.tokenBytesMax < TOKEN_BYTES) return [];
  const card = prompts
    .flatMap(({ promptId }) => ledger.store.deliveries.listCards(promptId))
    .find((row) => row.channel === configuredChannel.id && row.place === place && row.twinOf === null);
  if (card === undefined) return [];
  const value = `${PREFIX}${prompts.map(({ promptId }) => promptId).join(",")}`;
  const token = offerButton(ledger, card, value);
  const ids = prompts.map(({ shortId }) => shortId).join(", ");
  return [{ token, label: `Yes to these ${prompts.length}: ${ids}` }];
}

export function handleAlikeTap(
  ledger: Ledger,
  tx: Transaction,
  { delivery, token: { value }, requester }: SessionTap,
): InboundResponse | null {
  const host = delivery.promptId === null ? null : ledger.store.prompts.find(delivery.promptId);
  // The words of a text answer may be any.
  if (!value.startsWith(PREFIX) || host?.event.promptType === "free_text") return null;
  const named = value
    .slice(PREFIX.length)
    .split(",")
    .map((promptId) => {
      const prompt = ledger.store.prompts.find(promptId);
      return { shortId: prompt?.shortId ?? "?", prompt };
    });
  const writtenAt = { channel: delivery.channel, place: requester.place };
  const { identity } = requester;
  return describeResults(ledger, claimAlike(ledger, tx, named, { words: "yes", identity, writtenAt }));
}

function describeResults(ledger: Ledger, results: readonly AlikeResult[]): InboundResponse {
  const given = results.filter(({ rejection }) => rejection === null);
  const left = results.flatMap(({ shortId, rejection }) =>
    rejection === null ? [] : [`${shortId}: ${rejection.text}`],
  );
  const [first] = given;
  const prompt = first?.promptId == null ? null : ledger.store.prompts.find(first.promptId);
  const label =
    prompt === null ? "" : describeAnswer(prompt.event, first?.value ?? "", ledger.options.safeText);
  const done =
    given.length === 0 ? [] : [`${given.map(({ shortId }) => shortId).join(", ")}: ${label}, accepted`];
  const lines = [...done, ...(left.length === 0 ? [] : ["Left out:", ...left])];
  return { text: ledger.options.safeText(lines.join("\n")), alert: left.length > 0 };
}

/** Whether the person may answer the prompt, in this chat. */
function isFor(
  ledger: Ledger,
  prompt: PromptRow,
  { identity, configuredChannel, place }: Requester,
): boolean {
  return (
    mayApprove(ledger, prompt, identity) && isSentTo(ledger, prompt, { channel: configuredChannel.id, place })
  );
}

/** A prompt is shown where it was sent, or would be. */
function showPrompt(
  ledger: Ledger,
  shortId: string,
  { configuredChannel, place }: Requester,
): InboundResponse {
  const prompt = ledger.store.prompts.findByShortId(shortId);
  if (prompt === null || !isSentTo(ledger, prompt, { channel: configuredChannel.id, place }))
    return { text: `There is no prompt ${shortId} in this chat.`, alert: true };
  const { excerpt, content, choices } = prompt.event;
  const session = ledger.store.sessions.find(prompt.sessionId);
  const lines = [
    `${shortId}  ${session?.tool ?? ""} · ${session?.cwd ?? ""}${prompt.state === "pending" ? "" : ` · ${prompt.state}`}`,
    excerpt,
    ...(content.text === excerpt ? [] : [content.text]),
    ...(content.cut === null ? [] : [`✂ ${describeCut(content.cut)}`]),
    ...choices.map(({ label }, at) => `${at + 1}  ${label}`),
  ];
  return { text: ledger.options.safeText(lines.join("\n")), alert: false };
}
