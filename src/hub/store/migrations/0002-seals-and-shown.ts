/**
 * The audit's newest seal (ADR 14): one row, written anew with every row of the audit. And of every card the hash of what it showed.
 */
export const SEALS_AND_SHOWN = `
CREATE TABLE audit_seal (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  at    INTEGER NOT NULL,
  count INTEGER NOT NULL,
  head  TEXT NOT NULL,
  key   TEXT NOT NULL,
  mac   TEXT NOT NULL
) STRICT;

ALTER TABLE deliveries ADD COLUMN shown_hash TEXT;
CREATE INDEX settled_prompts ON prompts (closed_at) WHERE closed_at IS NOT NULL;
`;
