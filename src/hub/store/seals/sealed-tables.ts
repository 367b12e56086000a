/** Which tables carry authority, and which of their rows stand open: those are counted, so that none can go or be put back unseen. */

export interface SealedTable {
  readonly key: readonly string[];
  /** Rows that something may still be done with; `row` is `""`, `NEW.` or `OLD.`. Null: of this table none is counted. */
  readonly standing: ((row: string) => string) | null;
  /** Which rows are looked at when another program wrote to the ledger. */
  readonly examined: string;
}

const OPEN_PROMPT = "state IN ('detected', 'pending', 'answering', 'injecting')";
const OPEN_CARDS = `(SELECT delivery_id FROM main.deliveries WHERE prompt_id IN (SELECT prompt_id FROM main.prompts WHERE ${OPEN_PROMPT}))`;

function standing(condition: (row: string) => string): Pick<SealedTable, "standing" | "examined"> {
  return { standing: condition, examined: condition("") };
}

/** Constant names: never anything that came from outside. Of `audit` every row is sealed as it is written, and none ever changes. */
export const SEALED_TABLES = {
  sessions: { key: ["session_id"], ...standing((row) => `${row}closed_at IS NULL`) },
  prompts: { key: ["prompt_id"], ...standing((row) => `${row}${OPEN_PROMPT}`) },
  replies: { key: ["reply_id"], ...standing((row) => `${row}state IN ('waiting', 'held')`) },
  injections: { key: ["reply_id"], ...standing((row) => `${row}ended_at IS NULL`) },
  deliveries: { key: ["delivery_id"], standing: null, examined: `delivery_id IN ${OPEN_CARDS}` },
  tokens: { key: ["token"], standing: null, examined: `delivery_id IN ${OPEN_CARDS}` },
  outbox: { key: ["outbox_id"], standing: null, examined: "TRUE" },
  spool: { key: ["spool_id"], ...standing((row) => `${row}handled_at IS NULL`) },
  settings: { key: ["scope", "key"], ...standing(() => "TRUE") },
  tasks: { key: ["task_id"], ...standing((row) => `${row}state <> 'done'`) },
} as const satisfies Readonly<Record<string, SealedTable>>;

export type SealedTableName = keyof typeof SEALED_TABLES;

export const SEALED_NAMES = Object.keys(SEALED_TABLES) as readonly SealedTableName[];

/** A row's name in the quarantine and in the audit. */
export function rowIdOf(table: SealedTableName, row: "" | "NEW." | "OLD."): string {
  const { key } = SEALED_TABLES[table];
  return key.map((column) => `${row}${column}`).join(" || '/' || ");
}
