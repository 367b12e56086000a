/** Immediate reactions that decide nothing: opening the form, showing the home tab. */
import { NO_LONGER_OPEN } from "../../../src/sdk/card-words.js";
import type { ChannelHost } from "../../../src/sdk/channel.js";
import { sendResponse } from "./respond.js";
import type { SlackApi } from "../web-api/api.js";
import { FORM_ACTION } from "../cards/buttons.js";
import { SlackCallError, type SlackFailure } from "../web-api/failure.js";
import { buildForm, buildView } from "../cards/form.js";
import type { Homes } from "./homes.js";
import { getIdentity, isOutsider, isOwnMessage } from "./interpret.js";
import { parseStored, type ParsedPayload, type StoredEnvelope } from "./payloads.js";

export interface SlackInteractionParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
  readonly homes: Homes;
}

/** Never throws. Rows that are handled again after a restart are skipped: nobody is looking any more. */
export async function react(parts: SlackInteractionParts, row: StoredEnvelope): Promise<void> {
  const parsed = parseStored(row);
  if (parsed?.kind === "home") await parts.homes.show(parsed.actor.user, getIdentity(parsed));
  if (parsed?.kind === "press" && wantsForm(parsed)) await openForm(parts, row, parsed);
}

function wantsForm(parsed: Extract<ParsedPayload, { kind: "press" }>): boolean {
  const isFormRequest = parsed.press.actions[0]?.action_id === FORM_ACTION;
  return isFormRequest && isOwnMessage(parsed) && !isOutsider(parsed);
}

async function openForm(
  parts: SlackInteractionParts,
  row: StoredEnvelope,
  { press }: Extract<ParsedPayload, { kind: "press" }>,
): Promise<void> {
  const { api, host } = parts;
  const say = async (text: string): Promise<void> => {
    await sendResponse(parts, row, { text, alert: true });
  };
  const deliveryId = press.actions[0]?.value ?? "";
  // The hub answers for a card that it has no record of.
  if (!host.knows(deliveryId)) return;
  const notice = host.openNotice(deliveryId);
  const form = notice === null ? null : buildForm(notice);
  if (notice === null || form === null) return say(NO_LONGER_OPEN);
  const { channel_id: channel, message_ts: ts, thread_ts: thread } = press.container;
  const view = buildView(notice, form, { channel, ts, ...(thread === undefined ? {} : { thread }) });
  try {
    await api.callNow("views.open", { trigger_id: press.trigger_id, view });
  } catch (error) {
    const failure = error instanceof SlackCallError ? error.failure : null;
    host.log("warn", "slack form was not opened", { reason: failure?.reason ?? "unexpected" });
    await say(describeFormProblem(failure, notice.shortId));
  }
}

/** The service allows opening a form for three seconds only. */
const TOO_LATE = new Set(["expired_trigger_id", "trigger_expired"]);
const TRY_AGAIN = "Please press the button again.";

/** Other refusals would repeat, however often somebody presses. */
function describeFormProblem(failure: SlackFailure | null, shortId: string): string {
  if (failure === null) return `The form could not be opened. ${TRY_AGAIN}`;
  const { kind, reason } = failure;
  if (TOO_LATE.has(reason)) return `The form could not be opened in time. ${TRY_AGAIN}`;
  if (kind === "refused" || kind === "unauthorized")
    return `Slack refused to open the form (${reason}). Answer with /atlasbridge answer ${shortId} … instead.`;
  return `The form may not have opened (${reason}). If it did not: ${TRY_AGAIN}`;
}
