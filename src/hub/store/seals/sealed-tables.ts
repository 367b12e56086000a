/**
 * Which tables are sealed, and which of their rows are open. Open rows are counted, so that none can be removed or restored
 * unnoticed.
 */

export interface SealedTable {
  readonly key: readonly string[];
  /** The condition for open rows; `row` is `""`, `NEW.` or `OLD.`. Null: rows of this table are not counted. */
  readonly standing: ((row: string) => string) | null;
  /** The rows that are checked when another program wrote to the ledger. */
  readonly examined: string;
}

const OPEN_PROMPT = "state IN ('detected', 'pending', 'answering', 'injecting')";
const OPEN_CARDS = `(SELECT delivery_id FROM main.deliveries WHERE prompt_id IN (SELECT prompt_id FROM main.prompts WHERE ${OPEN_PROMPT}))`;

function defineCountedRows(condition: (row: string) => string): Pick<SealedTable, "standing" | "examined"> {
  return { standing: condition, examined: condition("") };
}

/**
 * Constant names: nothing from outside ever enters the SQL. `audit` is not listed: each of its rows is sealed when written and
 * never changes.
 */
export const SEALED_TABLES = {
  sessions: { key: ["session_id"], ...defineCountedRows((row) => `${row}closed_at IS NULL`) },
  prompts: { key: ["prompt_id"], ...defineCountedRows((row) => `${row}${OPEN_PROMPT}`) },
  replies: { key: ["reply_id"], ...defineCountedRows((row) => `${row}state IN ('waiting', 'held')`) },
  injections: { key: ["reply_id"], ...defineCountedRows((row) => `${row}ended_at IS NULL`) },
  deliveries: { key: ["delivery_id"], standing: null, examined: `delivery_id IN ${OPEN_CARDS}` },
  tokens: { key: ["token"], standing: null, examined: `delivery_id IN ${OPEN_CARDS}` },
  outbox: { key: ["outbox_id"], standing: null, examined: "TRUE" },
  spool: { key: ["spool_id"], ...defineCountedRows((row) => `${row}handled_at IS NULL`) },
  settings: { key: ["scope", "key"], ...defineCountedRows(() => "TRUE") },
  tasks: { key: ["task_id"], ...defineCountedRows((row) => `${row}state <> 'done'`) },
} as const satisfies Readonly<Record<string, SealedTable>>;

export type SealedTableName = keyof typeof SEALED_TABLES;

export const SEALED_NAMES = Object.keys(SEALED_TABLES) as readonly SealedTableName[];

/** A row's id in the quarantine and in the audit. */
export function buildRowId(table: SealedTableName, row: "" | "NEW." | "OLD."): string {
  const { key } = SEALED_TABLES[table];
  return key.map((column) => `${row}${column}`).join(" || '/' || ");
}
