/**
 * The table `audit`. A record is appended in the transaction of its step; if that fails, the step fails. Every row is sealed
 * together with all rows before it (ADR 14).
 */
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import { mapStrings } from "../../model/data/map-strings.js";
import { formatCanonicalJson } from "../audit/canonical.js";
import {
  chainRecord,
  EMPTY_CHAIN,
  type AuditEntry,
  type AuditRecord,
  type ChainHead,
} from "../audit/chain.js";
import { isGenuineSeal, sealHead, type Seal } from "../audit/seal.js";
import { AuditReader } from "./audit-reader.js";
import type { RowSeals } from "./seals/row-seals.js";

export interface AuditLogOptions {
  readonly redact: (text: string) => string;
  readonly key: Buffer;
}

/** A row with a valid proof that the hub wrote it. `details` is canonical JSON. */
export interface OwnStep {
  readonly step: string;
  readonly identity: string | null;
  readonly details: string;
}

export class AuditLog extends AuditReader {
  readonly #options: AuditLogOptions;
  readonly #insert: Database.Statement<[AuditRecord]>;
  readonly #ownHead: Database.Statement<[], ChainHead>;
  readonly #ownOfPrompt: Database.Statement<[string], OwnStep>;
  readonly #ownOfTask: Database.Statement<[string, string], OwnStep>;
  readonly #putSeal: Database.Statement<[Seal]>;
  readonly #path: string;
  #appended = 0;
  /** The chain's end at the last commit of this process, and within the current transaction; null before the first row. */
  #committed: ChainHead | null = null;
  #known: ChainHead | null = null;

  constructor(sqlite: Database.Database, seals: RowSeals, options: AuditLogOptions) {
    super(sqlite);
    const columns = "@position, @at, @step, @sessionId, @promptId, @identity, @details, @previous, @hash";
    this.#options = options;
    this.#path = sqlite.name;
    this.#insert = sqlite.prepare(
      `INSERT INTO audit VALUES (${columns}, ${seals.buildSealedRecord(columns)})`,
    );
    this.#ownHead = sqlite.prepare(
      `SELECT position AS count, hash FROM audit WHERE ${seals.buildRecordCondition()} ORDER BY position DESC LIMIT 1`,
    );
    const own = `SELECT step, identity, details FROM audit WHERE ${seals.buildRecordCondition()}`;
    this.#ownOfPrompt = sqlite.prepare(`${own} AND prompt_id = ? ORDER BY position`);
    this.#ownOfTask = sqlite.prepare(
      `${own} AND session_id = ? AND step IN ('task_taken', 'task_began', 'task_ended') AND details ->> 'taskId' = ?
       ORDER BY position`,
    );
    this.#putSeal = sqlite.prepare(
      `INSERT INTO audit_seal VALUES (1, @at, @count, @head, @key, @mac) ON CONFLICT (id) DO UPDATE
         SET at = excluded.at, count = excluded.count, head = excluded.head, key = excluded.key, mac = excluded.mac`,
    );
  }

  /**
   * Appends a record and returns its position. Strings in `details` are redacted before they are hashed. Errors:
   * ATB_STORE_DAMAGED if the chain does not end where it was sealed, because a new seal would hide that forever.
   */
  append(at: number, entry: AuditEntry): number {
    const head = this.head();
    if (!this.endsWhereSealed(head)) throw this.#createSealError();
    return this.#append(head, at, entry);
  }

  /** Whether the newest row is the one sealed last. Also detects an older seal that was restored together with the rows of its time. */
  endsWhereSealed(head: ChainHead = this.head()): boolean {
    if (this.#known !== null && (this.#known.count !== head.count || this.#known.hash !== head.hash))
      return false;
    const seal = this.seal();
    if (seal === null) return head.count === 0;
    return seal.count === head.count && seal.head === head.hash && isGenuineSeal(this.#options.key, seal);
  }

  /** Appends regardless of the seal and so starts a new sealed stretch. For records *about* the seals. */
  appendUnsealed(at: number, entry: AuditEntry): number {
    return this.#append(this.head(), at, entry);
  }

  /** The newest row that the hub wrote itself. */
  ownHead(): ChainHead {
    return this.#ownHead.get() ?? EMPTY_CHAIN;
  }

  /** Whether a seal kept outside the database covers rows that are missing: the file is then an older copy. */
  isBehind(kept: readonly Seal[]): boolean {
    const { count } = this.ownHead();
    return kept.some((seal) => seal.count > count && isGenuineSeal(this.#options.key, seal));
  }

  /** The steps that the hub itself recorded of a prompt, in order. */
  listOwnSteps(promptId: string): OwnStep[] {
    return this.#ownOfPrompt.all(promptId);
  }

  /** The steps that the hub itself recorded of a task, in order. */
  listOwnTaskSteps(sessionId: string, taskId: string): OwnStep[] {
    return this.#ownOfTask.all(sessionId, taskId);
  }

  /** The details in the form in which they are recorded. */
  encodeDetails(details: Readonly<Record<string, unknown>>): string {
    return formatCanonicalJson(mapStrings(details, this.#options.redact));
  }

  /** The number of rows appended by this process, including rolled back ones. */
  get appended(): number {
    return this.#appended;
  }

  noteCommit(): void {
    this.#committed = this.#known;
  }

  /** Called when the transaction was rolled back. */
  noteRollback(): void {
    this.#known = this.#committed;
  }

  /** Whether the audit is sealed with this key. */
  usesKey(key: Buffer | null): boolean {
    return key?.equals(this.#options.key) ?? false;
  }

  /** A seal of the last row that this process wrote, whatever the file contains; null before the first row. */
  findKnownSeal(at: number): Seal | null {
    return this.#known && sealHead(this.#options.key, at, this.#known);
  }

  /** Seals the rows of an older version of this program, which had no seals. */
  sealUnsealed(): void {
    const head = this.head();
    const [last] = this.readAfter(head.count - 1);
    if (last) this.#putSeal.run(sealHead(this.#options.key, last.at, head));
  }

  #append(head: ChainHead, at: number, entry: AuditEntry): number {
    this.#appended += 1;
    const { key } = this.#options;
    const details = this.encodeDetails(entry.details ?? {});
    const record = chainRecord(head, at, { ...entry, details });
    this.#insert.run(record);
    this.#known = { count: record.position, hash: record.hash };
    this.#putSeal.run(sealHead(key, at, this.#known));
    return record.position;
  }

  #createSealError(): AtlasBridgeError {
    return new AtlasBridgeError(
      "ATB_STORE_DAMAGED",
      `the audit in ${this.#path} does not end where it was sealed: nothing more can be recorded, so no answers are accepted`,
      { hint: "Keep a copy of it, run `atlasbridge audit verify`, then start the hub again." },
    );
  }
}
