/** A secret found in a text. */

export type SecretKind =
  | "token"
  | "key"
  | "private key"
  | "password"
  | "secret"
  | "PIN"
  | "recovery phrase"
  | "signature"
  | "webhook address";

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

export interface FoundSecret extends SecretSpan {
  /** The start of the words that identify it. */
  readonly from: number;
  readonly kind: SecretKind;
  /** Only the words before it make it a secret; its own form is arbitrary. */
  readonly isByName: boolean;
  /** It has the full length of such a token, so a line break inside it can only be a wrap. */
  readonly isWhole: boolean;
}

export function createFound(
  kind: SecretKind,
  from: number,
  { start, end }: SecretSpan,
  isByName = false,
): FoundSecret {
  return { start, end, from, kind, isByName, isWhole: false };
}
