/** The tables `audit` and `audit_seal`: a step fails if its record does, and each row is sealed with all before it (ADR 14). */
import type Database from "better-sqlite3";
import { mapStrings } from "../../model/data/map-strings.js";
import { formatCanonicalJson } from "../audit/canonical.js";
import {
  chainRecord,
  EMPTY_CHAIN,
  verifyChain,
  type AuditEntry,
  type AuditRecord,
  type AuditStep,
  type ChainHead,
  type ChainVerdict,
} from "../audit/chain.js";
import { isGenuineSeal, sealHead, type Seal } from "../audit/seal.js";
import { keepSeal, locateKeptSeals, readKeptSeals } from "./audit-files.js";

const COLUMNS = `position, at, step, session_id AS sessionId, prompt_id AS promptId, identity, details, previous, hash`;

const PAUSE_STEPS: readonly string[] = ["hub_paused", "hub_resumed"];

const PAGE_ROWS = 1000;

/** Read-only access, for commands beside the hub. */
export class AuditReader {
  readonly #head: Database.Statement<[], ChainHead>;
  readonly #page: Database.Statement<[number], AuditRecord>;
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

  seal(): Seal | null {
    return this.#seal.get() ?? null;
  }

  /** Rows after `position`, oldest first, read page by page because the log may be long. */
  *readAfter(position: number): Generator<AuditRecord, void, undefined> {
    for (let last = position; ;) {
      const page = this.#page.all(last);
      yield* page;
      const end = page.at(-1);
      if (!end || page.length < PAGE_ROWS) return;
      last = end.position;
    }
  }

  listSteps(promptId: string): { step: string; at: number }[] {
    return this.#ofPrompt.all(promptId);
  }

  /** Checks the whole chain without its seals and reports the first row that does not fit. */
  verify(): ChainVerdict {
    return verifyChain(this.readAfter(0));
  }
}

/** A hub that has opened sessions has opened one within as many rows of its audit. */
const FIRST_ROWS = 1000;

export interface AuditLogOptions {
  readonly redact: (text: string) => string;
  readonly key: Buffer;
}

export class AuditLog extends AuditReader {
  readonly #options: AuditLogOptions;
  readonly #insert: Database.Statement<[AuditRecord]>;
  readonly #firstOfPrompt: Database.Statement<[string, AuditStep, string], number>;
  readonly #firstOfTask: Database.Statement<[string, string], number>;
  readonly #openedSession: Database.Statement;
  readonly #putSeal: Database.Statement<[Seal]>;
  readonly #keptSeals: string;
  #appended = 0;
  /** The chain's end at the last commit of this process, and within the current transaction; null before the first row. */
  #committed: ChainHead | null = null;
  #known: ChainHead | null = null;

  constructor(sqlite: Database.Database, options: AuditLogOptions) {
    super(sqlite);
    this.#options = options;
    this.#keptSeals = locateKeptSeals(sqlite.name);
    this.#insert = sqlite.prepare(
      "INSERT INTO audit VALUES (@position, @at, @step, @sessionId, @promptId, @identity, @details, @previous, @hash)",
    );
    this.#firstOfPrompt = sqlite
      .prepare<[string, AuditStep, string], number>(
        "SELECT position FROM audit WHERE prompt_id = ? AND step = ? AND details ->> 'replyId' = ? ORDER BY position LIMIT 1",
      )
      .pluck();
    this.#firstOfTask = sqlite
      .prepare<[string, string], number>(
        `SELECT position FROM audit WHERE session_id = ? AND step IN ('task_taken', 'task_began', 'task_ended')
           AND details ->> 'taskId' = ? ORDER BY position LIMIT 1`,
      )
      .pluck();
    this.#openedSession = sqlite.prepare(
      `SELECT 1 FROM audit WHERE position < (SELECT min(position) FROM audit) + ${FIRST_ROWS} AND step = 'session_opened' LIMIT 1`,
    );
    this.#putSeal = sqlite.prepare(
      `INSERT INTO audit_seal VALUES (1, @at, @count, @head, @key, @mac) ON CONFLICT (id) DO UPDATE
         SET at = excluded.at, count = excluded.count, head = excluded.head, key = excluded.key, mac = excluded.mac`,
    );
  }

  /**
   * Appends a record and returns its position. Strings in `details` are redacted before they are hashed. If the chain does not end
   * where it was sealed, this is recorded first: a new seal alone would hide it forever.
   */
  append(at: number, entry: AuditEntry): number {
    if (!this.endsWhereSealed()) this.recordBreak(at);
    return this.#append(at, entry);
  }

  /** Whether the newest row is the one sealed last. Also detects an older seal that was restored together with the rows of its time. */
  endsWhereSealed(head: ChainHead = this.head()): boolean {
    if (this.#known !== null && (this.#known.count !== head.count || this.#known.hash !== head.hash))
      return false;
    const seal = this.seal();
    if (seal === null) return head.count === 0;
    return seal.count === head.count && seal.head === head.hash && isGenuineSeal(this.#options.key, seal);
  }

  /** Whether a seal kept outside the database covers rows that are missing: the file is then an older copy. */
  isBehind(): boolean {
    return this.countKept() > this.head().count;
  }

  /** How many rows the seals that are kept outside the database cover. */
  countKept(): number {
    const seals = readKeptSeals(this.#keptSeals).filter((seal) => isGenuineSeal(this.#options.key, seal));
    return Math.max(0, ...seals.map(({ count }) => count));
  }

  hasOpenedSessions(): boolean {
    return this.#openedSession.get() !== undefined;
  }

  /** Records that the audit does not end where it was sealed, and starts a new sealed stretch. The old seal is kept as proof. */
  recordBreak(at: number): void {
    this.keepSeal();
    const details = { count: this.head().count, sealed: this.seal()?.count ?? null };
    this.#append(at, { step: "audit_found_broken", details });
  }

  /** The proved rows from the claim of this reply on that are about its prompt; null without a proof. */
  readSinceClaim(promptId: string, replyId: string): AuditRecord[] | null {
    const from = this.#firstOfPrompt.get(promptId, "prompt_claimed", replyId);
    return this.#readProved(from, (row) => row.promptId === promptId);
  }

  /** The proved rows of the session from the step on that accepted the task; null without a proof. */
  readSinceTask(sessionId: string, taskId: string): AuditRecord[] | null {
    return this.#readProved(this.#firstOfTask.get(sessionId, taskId), (row) => row.sessionId === sessionId);
  }

  /**
   * Rows are proved if each one from there to the end follows from the one before, the last one is sealed with the key, and none of them
   * records a break, before which another program may have written.
   */
  #readProved(from: number | undefined, isWanted: (row: AuditRecord) => boolean): AuditRecord[] | null {
    const head = this.head();
    const [first] = from === undefined ? [] : this.readAfter(from - 1);
    if (first === undefined || !this.endsWhereSealed(head)) return null;
    const start = { count: first.position - 1, hash: first.previous };
    const wanted: AuditRecord[] = [];
    const steps = new Set<string>();
    const verdict = verifyChain(this.readAfter(start.count), start, (row) => {
      steps.add(row.step);
      if (isWanted(row)) wanted.push(row);
    });
    return verdict.intact && verdict.head.hash === head.hash && !steps.has("audit_found_broken")
      ? wanted
      : null;
  }

  /**
   * The row of the last pause; null if the hub was not paused. `since`: a row that is known to stand at its place, at or before the pause that holds. Where that is
   * not known, or the rows from there on are not proved, another program may have removed the pause: then it is "unproved".
   */
  readPause(since: number | null): AuditRecord | "unproved" | null {
    const proved = since === null ? null : this.#readProved(since, ({ step }) => PAUSE_STEPS.includes(step));
    if (proved === null) return "unproved";
    const last = proved.at(-1);
    return last?.step === "hub_paused" ? last : null;
  }

  /** The details in the form in which they are recorded. */
  encodeDetails(details: Readonly<Record<string, unknown>>): string {
    return formatCanonicalJson(mapStrings(details, this.#options.redact));
  }

  get appended(): number {
    return this.#appended;
  }

  noteCommit(): void {
    this.#committed = this.#known;
  }

  noteRollback(): void {
    this.#known = this.#committed;
  }

  /** Stores the newest seal outside the database. False if that failed; the database has the same proof. */
  keepSeal(): boolean {
    const seal = this.seal();
    try {
      if (seal) keepSeal(this.#keptSeals, seal);
      return true;
    } catch {
      return false;
    }
  }

  #append(at: number, entry: AuditEntry): number {
    this.#appended += 1;
    const details = this.encodeDetails(entry.details ?? {});
    const record = chainRecord(this.head(), at, { ...entry, details });
    this.#insert.run(record);
    this.#known = { count: record.position, hash: record.hash };
    this.#putSeal.run(sealHead(this.#options.key, at, this.#known));
    return record.position;
  }
}
