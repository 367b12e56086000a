/** A secret that was found in a text. */

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
  /** Where the words begin that say what it is. */
  readonly from: number;
  readonly kind: SecretKind;
  /** Only the words before it make it a secret: what stands there may look like anything. */
  readonly isByName: boolean;
  /** It has as many characters as such a token has: a line break inside it can only be a wrap. */
  readonly isWhole: boolean;
}
