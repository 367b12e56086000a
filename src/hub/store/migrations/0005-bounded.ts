/**
 * An index for every question that the hub asks of a large table, and for every foreign key that a deletion follows back: without one
 * each forgotten answer reads all questions. And where rows go that cannot be read.
 */
export const BOUNDED = `
CREATE INDEX prompts_by_age ON prompts (created_at);
CREATE INDEX open_prompts ON prompts (created_at)
  WHERE state IN ('detected', 'pending', 'answering', 'injecting');
CREATE INDEX open_prompts_by_session ON prompts (session_id, created_at)
  WHERE state IN ('detected', 'pending', 'answering', 'injecting');
CREATE INDEX prompts_by_reply ON prompts (reply_id);
CREATE INDEX sessions_by_age ON sessions (started_at, session_id);
CREATE INDEX open_sessions_by_age ON sessions (started_at, session_id) WHERE closed_at IS NULL;
CREATE INDEX closed_sessions ON sessions (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX replies_by_session ON replies (session_id);
CREATE INDEX deliveries_by_twin ON deliveries (twin_of);
CREATE INDEX open_roles ON deliveries (role) WHERE role IS NOT NULL AND state IN ('waiting', 'posted');
CREATE INDEX tasks_by_session ON tasks (session_id);
CREATE INDEX tasks_by_delivery ON tasks (delivery_id);
CREATE INDEX handled_updates ON spool (handled_at) WHERE handled_at IS NOT NULL;
CREATE INDEX audit_by_prompt ON audit (prompt_id) WHERE prompt_id IS NOT NULL;

CREATE TABLE quarantine (
  table_name TEXT NOT NULL,
  row_id     TEXT NOT NULL,
  problem    TEXT NOT NULL,
  content    TEXT NOT NULL,
  found_at   INTEGER NOT NULL,
  PRIMARY KEY (table_name, row_id, problem)
) STRICT;
`;
