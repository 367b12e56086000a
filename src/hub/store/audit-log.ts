/** Table `audit`: appended to inside the transaction of the step it records; if it cannot be written, the step fails. */
import type Database from "better-sqlite3";
import { canonicalJson } from "../audit/canonical.js";
import {
  EMPTY_CHAIN,
  chainRecord,
  verifyChain,
  type AuditEntry,
  type AuditRecord,
  type ChainHead,
  type ChainVerdict,
} from "../audit/chain.js";
import { mapStrings } from "../../model/map-strings.js";

const COLUMNS = `position, at, step, session_id AS sessionId, prompt_id AS promptId, identity, details, previous, hash`;

/** Half a megabyte at most. */
const PAGE_ROWS = 1000;

export class AuditLog {
  readonly #redact: (text: string) => string;
  readonly #head: Database.Statement<[], ChainHead>;
  readonly #one: Database.Statement<[number], ChainHead>;
  readonly #insert: Database.Statement<[AuditRecord]>;
  readonly #page: Database.Statement<[number], AuditRecord>;
  readonly #ofPrompt: Database.Statement<[string], { step: string; at: number }>;

  constructor(sqlite: Database.Database, redact: (text: string) => string) {
    this.#redact = redact;
    this.#head = sqlite.prepare("SELECT position AS count, hash FROM audit ORDER BY position DESC LIMIT 1");
    this.#one = sqlite.prepare("SELECT position AS count, hash FROM audit WHERE position = ?");
    this.#insert = sqlite.prepare(
      `INSERT INTO audit VALUES (@position, @at, @step, @sessionId, @promptId, @identity, @details, @previous, @hash)`,
    );
    this.#page = sqlite.prepare(
      `SELECT ${COLUMNS} FROM audit WHERE position > ? ORDER BY position LIMIT ${PAGE_ROWS}`,
    );
    this.#ofPrompt = sqlite.prepare("SELECT step, at FROM audit WHERE prompt_id = ? ORDER BY position");
  }

  /** Appends one record and returns its position. Strings of `details` are redacted before they are hashed. */
  append(at: number, entry: AuditEntry): number {
    const details = canonicalJson(mapStrings(entry.details ?? {}, this.#redact));
    const record = chainRecord(this.head(), at, { ...entry, details });
    this.#insert.run(record);
    return record.position;
  }

  head(): ChainHead {
    return this.#head.get() ?? EMPTY_CHAIN;
  }

  /** Rows after `position`, oldest first; read page by page, for the log may be long. */
  *after(position: number): Generator<AuditRecord, void, undefined> {
    for (let last = position; ;) {
      const page = this.#page.all(last);
      yield* page;
      const end = page.at(-1);
      if (!end || page.length < PAGE_ROWS) return;
      last = end.position;
    }
  }

  /** What happened to one prompt, in order. */
  stepsOf(promptId: string): { step: string; at: number }[] {
    return this.#ofPrompt.all(promptId);
  }

  /** Checks the whole chain and names the first row that does not fit. */
  verify(): ChainVerdict {
    return verifyChain(this.after(0));
  }

  /** Checks the newest `count` rows only, against the one before them. */
  verifyNewest(count: number): ChainVerdict {
    const before = this.head().count - count;
    if (before <= 0) return this.verify();
    const start = this.#one.get(before);
    if (!start) return { intact: false, position: before, problem: "missing" };
    return verifyChain(this.after(before), start);
  }
}
