/** Branded identifiers: an id cannot be passed where another kind is expected. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** uuid4 of one `atlasbridge run`. */
export type SessionId = Branded<"SessionId">;
/** uuid4 of one prompt (adapter spec §3.1). */
export type PromptId = Branded<"PromptId">;
/** Two to six lower-case characters that a person types: `answer k7 2`. */
export type ShortId = Branded<"ShortId">;
/** uuid4 of one accepted reply. */
export type ReplyId = Branded<"ReplyId">;
/** uuid4 of one task for a tool. */
export type TaskId = Branded<"TaskId">;
/** uuid4 of one notice posted at one place. */
export type DeliveryId = Branded<"DeliveryId">;
/** 32 hex characters, single use, minted by the hub (adapter spec §3.2). */
export type Nonce = Branded<"Nonce">;
/** `<channel>:<user id>`: `telegram:1001`, `slack:T1/U2`, `cli:local`, `auto:policy`, `auto:timeout`. */
export type Identity = Branded<"Identity">;
/** Opaque button data, at most 64 bytes, that maps to (delivery, choice). */
export type Token = Branded<"Token">;
/** SHA-256 hex over session, epoch and fingerprint. */
export type IdempotencyKey = Branded<"IdempotencyKey">;
/** Hex digest that identifies the same prompt (ADR 3). */
export type Fingerprint = Branded<"Fingerprint">;

/** Makes an id of a string that the caller has just minted, parsed or loaded. Nothing is checked. */
export function asId<T extends Branded<string>>(text: string): T {
  return text as T;
}

/** The channel that every hub has: answers given on this machine. */
export const LOCAL_CHANNEL = "cli";
export const LOCAL_IDENTITY = asId<Identity>(`${LOCAL_CHANNEL}:local`);
export const TIMEOUT_IDENTITY = asId<Identity>("auto:timeout");
export const POLICY_IDENTITY = asId<Identity>("auto:policy");

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const IDENTITY = /^[a-z][a-z0-9_-]{0,31}:[^\s:]{1,128}$/;

export function isUuid4(text: string): boolean {
  return UUID4.test(text);
}

export function isIdentity(text: string): text is Identity {
  return IDENTITY.test(text);
}
