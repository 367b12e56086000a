/** Tables `deliveries` and `tokens`: one row per notice and place, one token per button. */
import type { DeliveryId, PromptId, SessionId, Token } from "../../../model/ids.js";
import type { DeliveryRef } from "../../../sdk/delivery-ref.js";
import { formatCanonicalJson } from "../../audit/canonical.js";
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
import { Table } from "./table.js";

export interface DeliveryRow {
  readonly deliveryId: DeliveryId;
  /** The prompt it is about; null for a text about the session. */
  readonly promptId: PromptId | null;
  readonly sessionId: SessionId;
  readonly channel: string;
  readonly place: string;
  /** A plain text; null for a card, which shows the prompt with its buttons. */
  readonly text: string | null;
  readonly state: "waiting" | "posted" | "settled" | "abandoned";
  readonly ref: DeliveryRef | null;
  /** The original of a second card, posted because the service's response was lost. The twin uses the original's tokens. */
  readonly twinOf: DeliveryId | null;
  readonly createdAt: number;
  /** A text that says that the tool waits (`idle`), what became of a task, or what the tool does now. Null: any other. */
  readonly role: "idle" | "task" | "progress" | null;
}

export interface TokenRow {
  readonly token: Token;
  readonly deliveryId: DeliveryId;
  readonly position: number;
  readonly value: string;
  /** For the second button, which approves hidden content: the hash of the nonce it may use up. Null for an ordinary button. */
  readonly acceptsHidden: string | null;
}

type TextRole = NonNullable<DeliveryRow["role"]>;
type DeliveryColumns = Omit<DeliveryRow, "ref"> & { ref: string | null };

const IS_SIGNED = checkSignature("deliveries");
const COLUMNS = `delivery_id AS deliveryId, prompt_id AS promptId, session_id AS sessionId, channel, place, text, state, ref,
  twin_of AS twinOf, created_at AS createdAt, role`;
const TOKEN_COLUMNS = "token, delivery_id AS deliveryId, position, value, accepts_hidden AS acceptsHidden";

const SELECT = `SELECT ${COLUMNS} FROM deliveries`;

/** SQL for the signature once `changed` has another value. A row that the hub has not stored gets none. */
function signWith(changed: string, value: string): string {
  const signature = writeSignature("deliveries", (column) => (column === changed ? value : column));
  return `iif(${IS_SIGNED}, ${signature}, NULL)`;
}

/** More than the places of one session. */
const LATEST_MAX = 200;

export class Deliveries extends Table<DeliveryColumns, DeliveryRow> {
  readonly #insert = this.change<[DeliveryColumns]>(
    `INSERT INTO deliveries (delivery_id, prompt_id, session_id, channel, place, text, state, ref, twin_of, created_at, role, mac)
       VALUES (@deliveryId, @promptId, @sessionId, @channel, @place, @text, @state, @ref, @twinOf, @createdAt, @role,
         ${writeSignature("deliveries", nameParameter)})`,
  );
  readonly #posted = this.change<[{ ref: string; deliveryId: string }]>(
    `UPDATE deliveries SET state = 'posted', ref = @ref, mac = ${signWith("ref", "@ref")} WHERE delivery_id = @deliveryId`,
  );
  readonly #byRef = this.rows<[channel: string, ref: string]>(
    `${SELECT} WHERE channel = ?1 AND ref = ?2 AND ${IS_SIGNED} ORDER BY rowid`,
  );
  readonly #newestByRef = this.row<[channel: string, ref: string]>(
    `${SELECT} WHERE channel = ?1 AND ref = ?2 AND ${IS_SIGNED} ORDER BY created_at DESC LIMIT 1`,
  );
  readonly #dropButton = this.change<[promptId: string, value: string]>(
    "DELETE FROM tokens WHERE value = ?2 AND delivery_id IN (SELECT delivery_id FROM deliveries WHERE prompt_id = ?1)",
  );
  readonly #tokens = this.records<[deliveryId: string], TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE delivery_id = ?1 AND ${checkSignature("tokens")} ORDER BY position`,
  );
  readonly #token = this.records<[token: string], TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE token = ?1 AND ${checkSignature("tokens")}
       AND EXISTS (SELECT 1 FROM deliveries
         WHERE deliveries.delivery_id = tokens.delivery_id AND ${IS_SIGNED})`,
  );

  readonly insertToken = this.change<[TokenRow]>(
    `INSERT INTO tokens (token, delivery_id, position, value, accepts_hidden, mac)
       VALUES (@token, @deliveryId, @position, @value, @acceptsHidden,
         ${writeSignature("tokens", nameParameter)})`,
  );
  readonly setText = this.change<[deliveryId: string, text: string]>(
    `UPDATE deliveries SET text = ?2, mac = ${signWith("text", "?2")} WHERE delivery_id = ?1`,
  );
  /** Records which words and buttons the channel received for this card. */
  readonly setShown = this.change<[deliveryId: string, shownHash: string]>(
    "UPDATE deliveries SET shown_hash = ?2 WHERE delivery_id = ?1",
  );
  readonly setState = this.change<[deliveryId: string, state: "waiting" | "settled" | "abandoned"]>(
    "UPDATE deliveries SET state = ?2 WHERE delivery_id = ?1",
  );
  readonly find = this.row<[deliveryId: string]>(`${SELECT} WHERE delivery_id = ?1`);
  /** Whether the hub stored it as it stands. */
  readonly isSigned = this.exists<[deliveryId: string]>(
    `SELECT 1 FROM deliveries WHERE delivery_id = ?1 AND ${IS_SIGNED}`,
  );
  /** Every card of a prompt, twins included. */
  readonly listCards = this.rows<[promptId: string]>(
    `${SELECT} WHERE prompt_id = ?1 AND text IS NULL ORDER BY created_at, rowid`,
  );
  /** The newest texts with that role about a session, newest first. */
  readonly listLatest = this.rows<[sessionId: string, role: TextRole]>(
    `${SELECT} WHERE session_id = ?1 AND role = ?2 ORDER BY created_at DESC, rowid DESC LIMIT ${LATEST_MAX}`,
  );
  readonly listOpen = this.rows<[role: TextRole]>(
    `${SELECT} WHERE role = ?1 AND state IN ('waiting', 'posted')`,
  );
  /** Replies that offer answers to this prompt by buttons. */
  readonly listOffers = this.rows<[promptId: string]>(
    `${SELECT} WHERE prompt_id = ?1 AND text IS NOT NULL AND state = 'posted'
       AND EXISTS (SELECT 1 FROM tokens WHERE tokens.delivery_id = deliveries.delivery_id)`,
  );
  readonly hasWaitingText = this.exists<[promptId: string, channel: string, place: string]>(
    `SELECT 1 FROM deliveries
       WHERE prompt_id = ?1 AND channel = ?2 AND place = ?3 AND text IS NOT NULL AND state = 'waiting'`,
  );
  readonly listPlaces = this.records<[sessionId: string], { channel: string; place: string }>(
    "SELECT DISTINCT channel, place FROM deliveries WHERE session_id = ?1",
  );
  readonly hasButton = this.exists<[promptId: string, value: string]>(
    "SELECT 1 FROM tokens JOIN deliveries USING (delivery_id) WHERE value = ?2 AND prompt_id = ?1",
  );
  readonly dropTokens = this.change<[deliveryId: string]>("DELETE FROM tokens WHERE delivery_id = ?1");
  readonly dropToken = this.change<[deliveryId: string, value: string]>(
    "DELETE FROM tokens WHERE delivery_id = ?1 AND value = ?2",
  );

  insert(row: DeliveryRow): void {
    this.#insert({ ...row, ref: row.ref === null ? null : formatCanonicalJson(row.ref) });
  }

  markPosted(deliveryId: string, ref: DeliveryRef): void {
    this.#posted({ ref: formatCanonicalJson(ref), deliveryId });
  }

  /** Finds the delivery that was posted as `ref`. The channel must pass the same fields that `deliver` returned. */
  findByRef(channel: string, ref: DeliveryRef): DeliveryRow | null {
    return this.#newestByRef(channel, formatCanonicalJson(ref));
  }

  /** All rows that were posted as `ref`, oldest first. */
  listByRef(channel: string, ref: DeliveryRef): DeliveryRow[] {
    return this.#byRef(channel, formatCanonicalJson(ref));
  }

  findToken(token: string): TokenRow | null {
    return this.#token(token)[0] ?? null;
  }

  /** Removes a button from every card of a prompt. False if no card had it. */
  dropButton(promptId: string, value: string): boolean {
    return this.#dropButton(promptId, value) > 0;
  }

  /** The buttons of a card in order; a twin has those of its original. */
  listTokens({ deliveryId, twinOf }: Pick<DeliveryRow, "deliveryId" | "twinOf">): TokenRow[] {
    return this.#tokens(twinOf ?? deliveryId);
  }

  protected override decode(stored: DeliveryColumns): DeliveryRow {
    return { ...stored, ref: stored.ref === null ? null : (JSON.parse(stored.ref) as DeliveryRef) };
  }

  protected override locate({ deliveryId }: DeliveryColumns) {
    return ["deliveries", deliveryId] as const;
  }
}
