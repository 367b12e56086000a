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
  /** Where the words begin that identify it. */
  readonly from: number;
  readonly kind: SecretKind;
  /** Found by the words before it, not by its own form. */
  readonly isByName: boolean;
  /** It is complete, so a line break inside it is a wrap. */
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
