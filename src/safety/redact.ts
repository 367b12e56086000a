/**
 * Hides secrets in everything that leaves the machine, is logged, or is stored for people to read, and says how much is hidden.
 * Executed commands are unchanged; shell syntax and values that the text itself expands are never hidden (ADR 26). Plain digests
 * (sha256) are no secrets and stay readable, because people approve by them.
 */
import type { Hidden } from "../model/prompt.js";
import { findSecrets, type SecretPiece } from "./secrets/find-secrets.js";

export type { SecretPiece } from "./secrets/find-secrets.js";
export type { SecretSpan } from "./secrets/found.js";

export function findSecretSpans(text: string): readonly SecretPiece[] {
  return findSecrets(text);
}

/** A second run changes nothing. */
export function redact(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of findSecrets(text)) {
    parts.push(text.slice(from, start), `[${end - start} hidden]`);
    from = end;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

/** What `redact` hides of these texts; null: nothing. */
export function measureHidden(texts: readonly string[]): Hidden | null {
  const pieces = texts.flatMap((text) => findSecrets(text));
  if (pieces.length === 0) return null;
  return {
    characters: pieces.reduce((sum, { start, end }) => sum + end - start, 0),
    kinds: [...new Set(pieces.map(({ kind }) => kind))],
  };
}
