/** Every row that the hub acts on carries a proof that the hub wrote it, and one row proves what stood open at the last commit (ADR 31). */
export const SEALED_ROWS = `
-- They come back once the rows of before are sealed.
DROP TRIGGER audit_rows_never_change;
DROP TRIGGER audit_rows_never_go;
ALTER TABLE audit ADD COLUMN mac BLOB;
ALTER TABLE sessions ADD COLUMN mac BLOB;
ALTER TABLE prompts ADD COLUMN mac BLOB;
ALTER TABLE replies ADD COLUMN mac BLOB;
ALTER TABLE deliveries ADD COLUMN mac BLOB;
ALTER TABLE tokens ADD COLUMN mac BLOB;
ALTER TABLE outbox ADD COLUMN mac BLOB;
ALTER TABLE spool ADD COLUMN mac BLOB;
ALTER TABLE settings ADD COLUMN mac BLOB;
ALTER TABLE tasks ADD COLUMN mac BLOB;
ALTER TABLE injections ADD COLUMN mac BLOB;

CREATE TABLE tally (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  proof BLOB NOT NULL
) STRICT;
CREATE INDEX injections_underway ON injections (ended_at) WHERE ended_at IS NULL;
CREATE INDEX audit_of_tasks ON audit (session_id) WHERE step IN ('task_taken', 'task_began', 'task_ended');
`;
