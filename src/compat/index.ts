/** `atlasbridge/sdk`: all that other programs may import. docs/reference/sdk.md lists it; what is not here may change at any time. */

// Ids are strings with a brand: `asId` makes one of a string that you have just made or read.
export { asId } from "../model/ids.js";
export type { Fingerprint, IdempotencyKey, Identity, Nonce, PromptId, ReplyId } from "../model/ids.js";
export type { DeliveryId, SessionId, ShortId, Token } from "../model/ids.js";
export { AtlasBridgeError, type ErrorCode } from "../model/errors.js";
export type { Cancel, Clock } from "../model/clock.js";

// Prompts and replies (adapter spec §3).
export { CONFIDENCE_FLOOR, toConfidence, type Confidence } from "../model/prompt.js";
export type { Choice, ChoiceIntent, Constraints, PromptContent, PromptEvent } from "../model/prompt.js";
export type { PromptType, SafetyClass } from "../model/prompt.js";
export type { FormField, FormOption } from "../model/answer/form.js";
export { toSeedEvent } from "./seed-event.js";
export { parseLegalValue, type Legality, type NewlinePolicy, type Reply } from "../model/answer/reply.js";
export { createRefusal, type Refusal, type RefusalCode } from "../model/answer/refusal.js";
export type { AnswerRoute, Receipt } from "../model/answer/receipt.js";

// Newline policies (adapter spec §4) and keys by time (adapter spec §5).
export { chooseNewlinePolicy } from "../model/answer/newline.js";
export { encodeAnswer } from "../worker/answer/plan/bytes.js";
export { makeIdempotencyKey, RecentKeys } from "./idempotency-window.js";

// An adapter (adapter spec §2).
export { BaseAdapter, type EightMethodAdapter as Adapter } from "./base-adapter.js";
export { openDetector, type DetectorOptions, type PromptDetector } from "./open-detector.js";
export type { InjectionGate, InjectionResult, SessionSnapshot, SessionTrouble } from "../sdk/adapter.js";

// A channel (docs/how-to/add-a-channel.md).
export { CHANNEL_API, type Channel, type ChannelPlugin } from "../sdk/channel.js";
export type { Allowance, ChannelCapabilities, ChannelManifest, Pace } from "../sdk/channel.js";
export type { ChannelFinding, ChannelHealth, ChannelHost, Overview } from "../sdk/channel.js";
export type { ForeignEndpoint, Notice, NoticeButton, NoticeSession } from "../sdk/channel.js";
export type { NoticeStep, Outcome, PromptNotice } from "../sdk/channel.js";
export type { Inbound, InboundResponse, Inbox } from "../sdk/inbound.js";
export type { GroupFacts, Pairing, PairingAccount, PairingSecret } from "../sdk/pairing.js";
export type { DeliveryRef } from "../sdk/delivery-ref.js";
export { DeliveryError, type Certainty } from "../sdk/delivery-error.js";
export { StoreFailed } from "../sdk/store-failed.js";

// What channels share: calls to a service, waits, and the words of a card.
export { HttpClient, HttpError, type HttpCall, type HttpGet, type HttpReply } from "../sdk/http.js";
export { computeRetryAfterMs, describeConnectionFailure } from "../sdk/service/connection-failure.js";
export type { ConnectionFailure } from "../sdk/service/connection-failure.js";
export { parseJson, readJsonLines } from "../sdk/service/json-lines.js";
export { reportChanges } from "../sdk/service/report-changes.js";
export { computeDelay, wait, withTimeLimit, type TimeLimit } from "../sdk/waiting.js";
export { clip, replaceLoneSurrogates } from "../sdk/text.js";
export { formatListedChoice, formatPlace, listPolicyLines, listWarnings } from "../sdk/card-parts.js";
export { describeRisk, formatButtonLabel, formatLetterHint, formatOnlyBy } from "../sdk/card-words.js";
export { formatRemainingTime, formatTitle, MAYBE_NO_PROMPT } from "../sdk/card-words.js";
