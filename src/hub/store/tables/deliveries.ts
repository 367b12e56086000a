/** Tables `deliveries` and `tokens`: one row per notice and place, one token per button. */
import type { DeliveryId, PromptId, SessionId, Token } from "../../../model/ids.js";
import type { DeliveryRef } from "../../../sdk/delivery-ref.js";
import { formatCanonicalJson } from "../../audit/canonical.js";
import { SIGNATURES } from "../sign-rows.js";
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
  /**
   * Of texts: `idle` says that the tool waits for its next task, `task` what became of one, `progress` what the tool does now.
   * Null: any other text.
   */
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

type DeliveryColumns = Omit<DeliveryRow, "ref"> & { ref: string | null };

const COLUMNS = `delivery_id AS deliveryId, prompt_id AS promptId, session_id AS sessionId, channel, place, text, state, ref,
  twin_of AS twinOf, created_at AS createdAt, role`;
const TOKEN_COLUMNS = "token, delivery_id AS deliveryId, position, value, accepts_hidden AS acceptsHidden";

const SELECT = `SELECT ${COLUMNS} FROM deliveries`;

/** More than the places of one session. */
const LATEST_MAX = 200;

export class Deliveries extends Table {
  readonly #insert = this.sqlite.prepare<[DeliveryColumns]>(
    `INSERT INTO deliveries (delivery_id, prompt_id, session_id, channel, place, text, state, ref, twin_of, created_at, role, mac)
       VALUES (@deliveryId, @promptId, @sessionId, @channel, @place, @text, @state, @ref, @twinOf, @createdAt, @role,
         sign('deliveries', @deliveryId, @promptId, @sessionId, @channel, @place, @ref, @twinOf, @role))`,
  );
  readonly #insertToken = this.sqlite.prepare<[TokenRow]>(
    `INSERT INTO tokens (token, delivery_id, position, value, accepts_hidden, mac)
       VALUES (@token, @deliveryId, @position, @value, @acceptsHidden,
         sign('tokens', @token, @deliveryId, @position, @value, @acceptsHidden))`,
  );
  readonly #posted = this.sqlite.prepare<[{ ref: string; deliveryId: string }]>(
    `UPDATE deliveries SET state = 'posted', ref = @ref, mac = iif(mac = ${SIGNATURES.deliveries},
         ${SIGNATURES.deliveries.replace(" ref,", " @ref,")}, NULL) WHERE delivery_id = @deliveryId`,
  );
  readonly #text = this.sqlite.prepare<[string, string]>(
    "UPDATE deliveries SET text = ? WHERE delivery_id = ?",
  );
  readonly #shown = this.sqlite.prepare<[string, string]>(
    "UPDATE deliveries SET shown_hash = ? WHERE delivery_id = ?",
  );
  readonly #state = this.sqlite.prepare<[string, string]>(
    "UPDATE deliveries SET state = ? WHERE delivery_id = ?",
  );
  readonly #one = this.sqlite.prepare<[string], DeliveryColumns>(`${SELECT} WHERE delivery_id = ?`);
  readonly #byPrompt = this.sqlite.prepare<[string], DeliveryColumns>(
    `${SELECT} WHERE prompt_id = ? AND text IS NULL ORDER BY created_at, rowid`,
  );
  readonly #byRef = this.sqlite.prepare<[string, string], DeliveryColumns>(
    `${SELECT} WHERE channel = ? AND ref = ? AND mac = ${SIGNATURES.deliveries} ORDER BY created_at DESC LIMIT 1`,
  );
  readonly #allByRef = this.sqlite.prepare<[string, string], DeliveryColumns>(
    `${SELECT} WHERE channel = ? AND ref = ? AND mac = ${SIGNATURES.deliveries} ORDER BY rowid`,
  );
  readonly #offers = this.sqlite.prepare<[string], DeliveryColumns>(
    `${SELECT} WHERE prompt_id = ? AND text IS NOT NULL AND state = 'posted'
       AND EXISTS (SELECT 1 FROM tokens WHERE tokens.delivery_id = deliveries.delivery_id)`,
  );
  readonly #byRole = this.sqlite.prepare<[string, string], DeliveryColumns>(
    `${SELECT} WHERE session_id = ? AND role = ? ORDER BY created_at DESC, rowid DESC LIMIT ${LATEST_MAX}`,
  );
  readonly #openByRole = this.sqlite.prepare<[string], DeliveryColumns>(
    `${SELECT} WHERE role = ? AND state IN ('waiting', 'posted')`,
  );
  readonly #waitingText = this.sqlite.prepare<[string, string, string], { found: 1 }>(
    `SELECT 1 AS found FROM deliveries
       WHERE prompt_id = ? AND channel = ? AND place = ? AND text IS NOT NULL AND state = 'waiting'`,
  );
  readonly #placesBySession = this.sqlite.prepare<[string], { channel: string; place: string }>(
    `SELECT DISTINCT channel, place FROM deliveries WHERE session_id = ?`,
  );
  readonly #token = this.sqlite.prepare<[string], TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE token = ? AND mac = ${SIGNATURES.tokens}
       AND EXISTS (SELECT 1 FROM deliveries
         WHERE deliveries.delivery_id = tokens.delivery_id AND deliveries.mac = ${SIGNATURES.deliveries})`,
  );
  readonly #hasButton = this.sqlite.prepare<[string, string], { found: 1 }>(
    "SELECT 1 AS found FROM tokens JOIN deliveries USING (delivery_id) WHERE value = ? AND prompt_id = ? LIMIT 1",
  );
  readonly #dropButton = this.sqlite.prepare<[string, string]>(
    "DELETE FROM tokens WHERE value = ? AND delivery_id IN (SELECT delivery_id FROM deliveries WHERE prompt_id = ?)",
  );
  readonly #dropTokens = this.sqlite.prepare<[string]>("DELETE FROM tokens WHERE delivery_id = ?");
  readonly #dropToken = this.sqlite.prepare<[string, string]>(
    "DELETE FROM tokens WHERE delivery_id = ? AND value = ?",
  );
  readonly #tokensByDelivery = this.sqlite.prepare<[string], TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE delivery_id = ? AND mac = ${SIGNATURES.tokens} ORDER BY position`,
  );

  insert(row: DeliveryRow): void {
    this.#insert.run({ ...row, ref: row.ref === null ? null : formatCanonicalJson(row.ref) });
  }

  insertToken(row: TokenRow): void {
    this.#insertToken.run(row);
  }

  markPosted(deliveryId: string, ref: DeliveryRef): void {
    this.#posted.run({ ref: formatCanonicalJson(ref), deliveryId });
  }

  setText(deliveryId: string, text: string): void {
    this.#text.run(text, deliveryId);
  }

  /** The newest texts with that role about a session, newest first. */
  listLatest(sessionId: string, role: NonNullable<DeliveryRow["role"]>): DeliveryRow[] {
    return this.#load(this.#byRole.all(sessionId, role));
  }

  listOpen(role: NonNullable<DeliveryRow["role"]>): DeliveryRow[] {
    return this.#load(this.#openByRole.all(role));
  }

  /** Records which words and buttons the channel received for this card. */
  setShown(deliveryId: string, shownHash: string): void {
    this.#shown.run(shownHash, deliveryId);
  }

  setState(deliveryId: string, state: "waiting" | "settled" | "abandoned"): void {
    this.#state.run(state, deliveryId);
  }

  find(deliveryId: string): DeliveryRow | null {
    return this.#load(this.#one.all(deliveryId))[0] ?? null;
  }

  /** Every card of a prompt, twins included. */
  listCards(promptId: string): DeliveryRow[] {
    return this.#load(this.#byPrompt.all(promptId));
  }

  /** Finds the delivery that was posted as `ref`. The channel must pass the same fields that `deliver` returned. */
  findByRef(channel: string, ref: DeliveryRef): DeliveryRow | null {
    return this.#load(this.#byRef.all(channel, formatCanonicalJson(ref)))[0] ?? null;
  }

  /** All rows that were posted as `ref`, oldest first. */
  listByRef(channel: string, ref: DeliveryRef): DeliveryRow[] {
    return this.#load(this.#allByRef.all(channel, formatCanonicalJson(ref)));
  }

  listOffers(promptId: string): DeliveryRow[] {
    return this.#load(this.#offers.all(promptId));
  }

  hasWaitingText(promptId: string, channel: string, place: string): boolean {
    return this.#waitingText.get(promptId, channel, place) !== undefined;
  }

  listPlaces(sessionId: string): { channel: string; place: string }[] {
    return this.#placesBySession.all(sessionId);
  }

  findToken(token: string): TokenRow | null {
    return this.#token.get(token) ?? null;
  }

  hasButton(promptId: string, value: string): boolean {
    return this.#hasButton.get(value, promptId) !== undefined;
  }

  /** Removes a button from every card of a prompt. False if no card had it. */
  dropButton(promptId: string, value: string): boolean {
    return this.#dropButton.run(value, promptId).changes > 0;
  }

  dropTokens(deliveryId: string): void {
    this.#dropTokens.run(deliveryId);
  }

  dropToken(deliveryId: string, value: string): void {
    this.#dropToken.run(deliveryId, value);
  }

  /** The buttons of a card in order; a twin has those of its original. */
  listTokens(delivery: Pick<DeliveryRow, "deliveryId" | "twinOf">): TokenRow[] {
    return this.#tokensByDelivery.all(delivery.twinOf ?? delivery.deliveryId);
  }

  #load(stored: readonly DeliveryColumns[]): DeliveryRow[] {
    return this.parse(
      "deliveries",
      stored,
      ({ deliveryId }) => deliveryId,
      (row) => ({
        ...row,
        ref: row.ref === null ? null : (JSON.parse(row.ref) as DeliveryRef),
      }),
    );
  }
}
