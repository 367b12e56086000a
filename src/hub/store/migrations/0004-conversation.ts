/** What people tell a tool to do next, and the role of texts that are changed or read again later. No task is typed without its audit row. */
export const CONVERSATION = `
ALTER TABLE deliveries ADD COLUMN role TEXT CHECK (role IN ('idle', 'task', 'progress'));
CREATE INDEX deliveries_by_role ON deliveries (session_id, role) WHERE role IS NOT NULL;

CREATE TABLE tasks (
  task_id        TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions,
  text           TEXT NOT NULL,
  identity       TEXT NOT NULL,
  person         TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('waiting', 'begun', 'done')),
  delivery_id    TEXT NOT NULL REFERENCES deliveries,
  audit_position INTEGER REFERENCES audit,
  created_at     INTEGER NOT NULL,
  closed_at      INTEGER,
  CHECK (state <> 'begun' OR audit_position IS NOT NULL),
  CHECK ((state = 'done') = (closed_at IS NOT NULL))
) STRICT;
CREATE INDEX open_tasks ON tasks (session_id, created_at) WHERE state <> 'done';
`;
