/**
 * The schema, and the migrations to later ones. A landed one is never edited. SQL lives in strings because data files are not copied
 * beside the bundle. Instants are integer milliseconds. The rules that must never break are constraints, not habits: one injection a
 * prompt, one use a nonce, no injection without its audit row, a nonce exactly while the prompt can be claimed, and an audit table that
 * only grows.
 */

/** The number of the schema below. Databases with a lower one were made by versions that were never released. */
export const FIRST_SCHEMA_VERSION = 9;

export const OWN_TRIGGERS: readonly string[] = [
  `CREATE TRIGGER audit_rows_never_change BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows never change'); END`,
  `CREATE TRIGGER audit_rows_never_go BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows never go'); END`,
];

const FIRST_SCHEMA = `
CREATE TABLE audit (
  position   INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  step       TEXT NOT NULL,
  session_id TEXT,
  prompt_id  TEXT,
  identity   TEXT,
  details    TEXT NOT NULL,
  previous   TEXT NOT NULL,
  hash       TEXT NOT NULL
) STRICT;
${OWN_TRIGGERS.join(";\n")};
CREATE INDEX audit_by_prompt ON audit (prompt_id) WHERE prompt_id IS NOT NULL;
CREATE INDEX audit_of_tasks ON audit (session_id) WHERE step IN ('task_taken', 'task_began', 'task_ended');

CREATE TABLE audit_seal (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  at    INTEGER NOT NULL,
  count INTEGER NOT NULL,
  head  TEXT NOT NULL,
  key   TEXT NOT NULL,
  mac   TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  session_id     TEXT PRIMARY KEY,
  tool           TEXT NOT NULL,
  label          TEXT,
  cwd            TEXT NOT NULL,
  command        TEXT NOT NULL,
  version        TEXT NOT NULL,
  pid            INTEGER NOT NULL,
  pid_start_time TEXT,
  inside         TEXT,
  capabilities   TEXT NOT NULL,
  tool_state     TEXT NOT NULL,
  started_at     INTEGER NOT NULL,
  closed_at      INTEGER,
  ending         TEXT CHECK (ending IN ('closed', 'lost')),
  exit_code      INTEGER,
  signal         TEXT,
  said           TEXT,
  mac            BLOB,
  CHECK ((closed_at IS NULL) = (ending IS NULL))
) STRICT;
CREATE INDEX open_sessions ON sessions (session_id) WHERE closed_at IS NULL;
CREATE INDEX inner_sessions ON sessions (inside) WHERE inside IS NOT NULL;
CREATE INDEX sessions_by_age ON sessions (started_at, session_id);
CREATE INDEX open_sessions_by_age ON sessions (started_at, session_id) WHERE closed_at IS NULL;
CREATE INDEX closed_sessions ON sessions (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE prompts (
  prompt_id       TEXT PRIMARY KEY,
  session_id      TEXT NOT NULL REFERENCES sessions,
  short_id        TEXT NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  state           TEXT NOT NULL CHECK (state IN ('detected', 'pending', 'answering', 'injecting',
                    'answered', 'uncertain', 'failed', 'withdrawn', 'superseded', 'expired')),
  event           TEXT NOT NULL,
  content_hash    TEXT NOT NULL,
  epoch           INTEGER NOT NULL,
  verdict         TEXT NOT NULL,
  answerable      INTEGER NOT NULL CHECK (answerable IN (0, 1)),
  nonce           TEXT,
  nonce_hash      TEXT,
  reply_id        TEXT REFERENCES replies,
  answered_by     TEXT,
  outcome         TEXT,
  created_at      INTEGER NOT NULL,
  deadline_at     INTEGER,
  remind_at       INTEGER,
  reminders       INTEGER NOT NULL DEFAULT 0,
  closed_at       INTEGER,
  mac             BLOB,
  CHECK ((state = 'pending') = (nonce IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX open_short_ids ON prompts (short_id)
  WHERE state IN ('detected', 'pending', 'answering', 'injecting');
CREATE INDEX prompts_by_short_id ON prompts (short_id, created_at);
CREATE INDEX prompts_by_session ON prompts (session_id, created_at);
CREATE INDEX deadlines ON prompts (deadline_at) WHERE state = 'pending';
CREATE INDEX reminders ON prompts (remind_at) WHERE state = 'pending';
CREATE INDEX settled_prompts ON prompts (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX prompts_by_age ON prompts (created_at);
CREATE INDEX open_prompts ON prompts (created_at)
  WHERE state IN ('detected', 'pending', 'answering', 'injecting');
CREATE INDEX open_prompts_by_session ON prompts (session_id, created_at)
  WHERE state IN ('detected', 'pending', 'answering', 'injecting');
CREATE INDEX prompts_by_reply ON prompts (reply_id);

CREATE TABLE replies (
  reply_id       TEXT PRIMARY KEY,
  prompt_id      TEXT NOT NULL REFERENCES prompts,
  session_id     TEXT NOT NULL REFERENCES sessions,
  value          TEXT NOT NULL,
  text           TEXT,
  nonce          TEXT NOT NULL UNIQUE,
  identity       TEXT NOT NULL,
  person         TEXT NOT NULL,
  newline_policy TEXT NOT NULL CHECK (newline_policy IN ('append', 'none', 'replace')),
  state          TEXT NOT NULL CHECK (state IN ('waiting', 'held', 'refused', 'begun', 'done', 'void')),
  received_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX replies_by_prompt ON replies (prompt_id);
CREATE INDEX open_replies ON replies (session_id) WHERE state IN ('waiting', 'held');
CREATE INDEX replies_by_session ON replies (session_id);

CREATE TABLE injections (
  reply_id       TEXT PRIMARY KEY REFERENCES replies,
  prompt_id      TEXT NOT NULL UNIQUE REFERENCES prompts,
  audit_position INTEGER NOT NULL REFERENCES audit,
  route          TEXT NOT NULL CHECK (route IN ('keys', 'hook', 'protocol')),
  fingerprint    TEXT NOT NULL,
  ends_tool      INTEGER NOT NULL CHECK (ends_tool IN (0, 1)),
  began_at       INTEGER NOT NULL,
  ended_at       INTEGER,
  outcome        TEXT CHECK (outcome IN ('answered', 'uncertain', 'failed', 'withdrawn')),
  receipt        TEXT,
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX injections_underway ON injections (ended_at) WHERE ended_at IS NULL;

CREATE TABLE deliveries (
  delivery_id TEXT PRIMARY KEY,
  prompt_id   TEXT REFERENCES prompts,
  session_id  TEXT NOT NULL REFERENCES sessions,
  channel     TEXT NOT NULL,
  place       TEXT NOT NULL,
  text        TEXT,
  state       TEXT NOT NULL CHECK (state IN ('waiting', 'posted', 'settled', 'abandoned')),
  ref         TEXT,
  twin_of     TEXT REFERENCES deliveries,
  created_at  INTEGER NOT NULL,
  shown_hash  TEXT,
  role        TEXT CHECK (role IN ('idle', 'task', 'progress')),
  mac         BLOB,
  CHECK (prompt_id IS NOT NULL OR text IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX one_card_a_place ON deliveries (prompt_id, channel, place)
  WHERE text IS NULL AND twin_of IS NULL;
CREATE INDEX deliveries_by_prompt ON deliveries (prompt_id);
CREATE INDEX deliveries_by_session ON deliveries (session_id);
CREATE INDEX deliveries_by_ref ON deliveries (channel, ref) WHERE ref IS NOT NULL;
CREATE INDEX deliveries_by_role ON deliveries (session_id, role) WHERE role IS NOT NULL;
CREATE INDEX deliveries_by_twin ON deliveries (twin_of);
CREATE INDEX open_roles ON deliveries (role) WHERE role IS NOT NULL AND state IN ('waiting', 'posted');

CREATE TABLE tokens (
  token          TEXT PRIMARY KEY,
  delivery_id    TEXT NOT NULL REFERENCES deliveries,
  position       INTEGER NOT NULL,
  value          TEXT NOT NULL,
  accepts_hidden TEXT,
  mac            BLOB,
  UNIQUE (delivery_id, position)
) STRICT;

CREATE TABLE outbox (
  outbox_id   INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_id TEXT NOT NULL REFERENCES deliveries,
  kind        TEXT NOT NULL CHECK (kind IN ('deliver', 'settle')),
  priority    INTEGER NOT NULL,
  due_at      INTEGER NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  revision    INTEGER NOT NULL DEFAULT 1,
  outcome     TEXT,
  UNIQUE (delivery_id, kind),
  CHECK ((kind = 'settle') = (outcome IS NOT NULL))
) STRICT;
CREATE INDEX due_work ON outbox (due_at);

CREATE TABLE spool (
  spool_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  channel     TEXT NOT NULL,
  key         TEXT NOT NULL,
  raw         TEXT NOT NULL,
  stored_at   INTEGER NOT NULL,
  handled_at  INTEGER,
  answer      TEXT,
  answered_at INTEGER,
  mac         BLOB,
  UNIQUE (channel, key)
) STRICT;
CREATE INDEX unhandled_updates ON spool (spool_id) WHERE handled_at IS NULL;
CREATE INDEX unanswered_updates ON spool (spool_id) WHERE answer IS NOT NULL AND answered_at IS NULL;
CREATE INDEX handled_updates ON spool (handled_at) WHERE handled_at IS NOT NULL;

CREATE TABLE settings (
  scope TEXT NOT NULL,
  key   TEXT NOT NULL,
  value TEXT NOT NULL,
  mac   BLOB,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

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
  mac            BLOB,
  CHECK (state <> 'begun' OR audit_position IS NOT NULL),
  CHECK ((state = 'done') = (closed_at IS NOT NULL))
) STRICT;
CREATE INDEX open_tasks ON tasks (session_id, created_at) WHERE state <> 'done';
CREATE INDEX tasks_by_session ON tasks (session_id);
CREATE INDEX tasks_by_delivery ON tasks (delivery_id);

CREATE TABLE quarantine (
  table_name TEXT NOT NULL,
  row_id     TEXT NOT NULL,
  problem    TEXT NOT NULL,
  content    TEXT NOT NULL,
  found_at   INTEGER NOT NULL,
  PRIMARY KEY (table_name, row_id, problem)
) STRICT;
`;

/** The first makes the schema of `FIRST_SCHEMA_VERSION`, each further one brings a database to the next number. */
export const MIGRATIONS: readonly string[] = [FIRST_SCHEMA];

/** The schema this program writes. A database with a higher number is left alone. */
export const SCHEMA_VERSION = FIRST_SCHEMA_VERSION + MIGRATIONS.length - 1;
