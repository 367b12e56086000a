/**
 * Table `audit`: appended to inside the transaction of the step it records; if it cannot be written, the step fails. Every row is
 * sealed together with all before it (ADR 14).
 */
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import { mapStrings } from "../../model/map-strings.js";
import { canonicalJson } from "../audit/canonical.js";
import { chainRecord, type AuditEntry, type AuditRecord, type ChainHead } from "../audit/chain.js";
import { isGenuine, sealHead, type Seal } from "../audit/seal.js";
import { AuditReader } from "./audit-reader.js";

export interface AuditLogOptions {
  readonly redact: (text: string) => string;
  readonly key: Buffer;
}

export class AuditLog extends AuditReader {
  readonly #options: AuditLogOptions;
  readonly #insert: Database.Statement<[AuditRecord]>;
  readonly #putSeal: Database.Statement<[Seal]>;
  readonly #path: string;
  #appended = 0;

  constructor(sqlite: Database.Database, options: AuditLogOptions) {
    super(sqlite);
    this.#options = options;
    this.#path = sqlite.name;
    this.#insert = sqlite.prepare(
      `INSERT INTO audit VALUES (@position, @at, @step, @sessionId, @promptId, @identity, @details, @previous, @hash)`,
    );
    this.#putSeal = sqlite.prepare(
      `INSERT INTO audit_seal VALUES (1, @at, @count, @head, @key, @mac) ON CONFLICT (id) DO UPDATE
         SET at = excluded.at, count = excluded.count, head = excluded.head, key = excluded.key, mac = excluded.mac`,
    );
  }

  /**
   * Appends one record and returns its position. Strings of `details` are redacted before they are hashed.
   * Errors: ATB_STORE_DAMAGED when the chain does not end where it was sealed: a new seal would hide that for ever.
   */
  append(at: number, entry: AuditEntry): number {
    const head = this.head();
    if (!this.endsWhereSealed(head)) throw this.#notAsSealed();
    return this.#append(head, at, entry);
  }

  /** Whether the newest row is the one that was sealed last. */
  endsWhereSealed(head: ChainHead = this.head()): boolean {
    const seal = this.seal();
    if (seal === null) return head.count === 0;
    return seal.count === head.count && seal.head === head.hash && isGenuine(this.#options.key, seal);
  }

  /** Appends whatever the seal says, and by that begins a new sealed stretch. For what must be put on record *about* the seals. */
  appendUnsealed(at: number, entry: AuditEntry): number {
    return this.#append(this.head(), at, entry);
  }

  /** Rows appended in this life, some perhaps rolled back. */
  get appended(): number {
    return this.#appended;
  }

  /** Seals what an older version of this program wrote, which knew no seals. */
  sealUnsealed(): void {
    const head = this.head();
    const [last] = this.after(head.count - 1);
    if (last) this.#putSeal.run(sealHead(this.#options.key, last.at, head));
  }

  #append(head: ChainHead, at: number, entry: AuditEntry): number {
    this.#appended += 1;
    const { redact, key } = this.#options;
    const details = canonicalJson(mapStrings(entry.details ?? {}, redact));
    const record = chainRecord(head, at, { ...entry, details });
    this.#insert.run(record);
    this.#putSeal.run(sealHead(key, at, { count: record.position, hash: record.hash }));
    return record.position;
  }

  #notAsSealed(): AtlasBridgeError {
    return new AtlasBridgeError(
      "ATB_STORE_DAMAGED",
      `the audit in ${this.#path} does not end where it was sealed: nothing more is recorded, and so nothing is answered`,
      { hint: "Keep a copy of it, look with `atlasbridge audit verify`, then start the hub again." },
    );
  }
}
