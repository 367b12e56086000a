/** Read-only access to the tables `audit` and `audit_seal`. */
import type Database from "better-sqlite3";
import { EMPTY_CHAIN, verifyChain, type ChainHead, type ChainVerdict } from "../audit/chain.js";
import type { ProvedRecord } from "../audit/row-mac.js";
import type { Seal } from "../audit/seal.js";

const COLUMNS = `position, at, step, session_id AS sessionId, prompt_id AS promptId, identity, details, previous, hash, mac`;

/** Half a megabyte at most. */
const PAGE_ROWS = 1000;

export class AuditReader {
  readonly #head: Database.Statement<[], ChainHead>;
  readonly #page: Database.Statement<[number], ProvedRecord>;
  readonly #ofPrompt: Database.Statement<[string], { step: string; at: number }>;
  readonly #seal: Database.Statement<[], Seal>;

  constructor(sqlite: Database.Database) {
    this.#head = sqlite.prepare("SELECT position AS count, hash FROM audit ORDER BY position DESC LIMIT 1");
    this.#page = sqlite.prepare(
      `SELECT ${COLUMNS} FROM audit WHERE position > ? ORDER BY position LIMIT ${PAGE_ROWS}`,
    );
    this.#ofPrompt = sqlite.prepare("SELECT step, at FROM audit WHERE prompt_id = ? ORDER BY position");
    this.#seal = sqlite.prepare("SELECT at, count, head, key, mac FROM audit_seal");
  }

  head(): ChainHead {
    return this.#head.get() ?? EMPTY_CHAIN;
  }

  /** The newest seal; null before the first row. */
  seal(): Seal | null {
    return this.#seal.get() ?? null;
  }

  /** Rows after `position`, oldest first, read page by page because the log may be long. */
  *readAfter(position: number): Generator<ProvedRecord, void, undefined> {
    for (let last = position; ;) {
      const page = this.#page.all(last);
      yield* page;
      const end = page.at(-1);
      if (!end || page.length < PAGE_ROWS) return;
      last = end.position;
    }
  }

  /** The recorded steps of one prompt, in order. */
  listSteps(promptId: string): { step: string; at: number }[] {
    return this.#ofPrompt.all(promptId);
  }

  /** Checks the whole chain without its seals and reports the first row that does not fit. */
  verify(): ChainVerdict {
    return verifyChain(this.readAfter(0));
  }
}
