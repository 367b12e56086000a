/** Table `injections`: one row before the first byte of an answer, completed by its receipt. At most one per prompt, ever. */
import type { Fingerprint, PromptId, ReplyId } from "../../../model/ids.js";
import type { AnswerRoute, Receipt, ReceiptOutcome } from "../../../model/answer/receipt.js";
import { Table } from "./table.js";

export interface InjectionRow {
  readonly replyId: ReplyId;
  readonly promptId: PromptId;
  /** Position of its audit row: without one there is no injection. */
  readonly auditPosition: number;
  readonly route: AnswerRoute;
  readonly fingerprint: Fingerprint;
  readonly endsTool: boolean;
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly outcome: ReceiptOutcome | "withdrawn" | null;
}

type InjectionColumns = Omit<InjectionRow, "endsTool"> & { endsTool: number };

export class Injections extends Table<InjectionColumns, InjectionRow> {
  readonly #insert = this.change<[Omit<InjectionColumns, "endedAt" | "outcome">]>(
    `INSERT INTO injections (reply_id, prompt_id, audit_position, route, fingerprint, ends_tool, began_at)
       VALUES (@replyId, @promptId, @auditPosition, @route, @fingerprint, @endsTool, @beganAt)`,
  );
  readonly #end = this.change<[replyId: string, at: number, outcome: string, receipt: string | null]>(
    "UPDATE injections SET ended_at = ?2, outcome = ?3, receipt = ?4 WHERE reply_id = ?1 AND ended_at IS NULL",
  );
  readonly findByPrompt = this.row<[promptId: string]>(
    `SELECT reply_id AS replyId, prompt_id AS promptId, audit_position AS auditPosition, route, fingerprint,
         ends_tool AS endsTool, began_at AS beganAt, ended_at AS endedAt, outcome
       FROM injections WHERE prompt_id = ?1`,
  );

  insert(row: Omit<InjectionRow, "endedAt" | "outcome">): void {
    this.#insert({ ...row, endsTool: row.endsTool ? 1 : 0 });
  }

  /** Returns false if it had ended before. What stood on the screen (`change`) is for people's cards only, and is not stored. */
  end(replyId: string, at: number, outcome: ReceiptOutcome | "withdrawn", receipt: Receipt | null): boolean {
    const stored = receipt === null ? null : JSON.stringify({ ...receipt, change: undefined });
    return this.#end(replyId, at, outcome, stored) === 1;
  }

  protected override decode(stored: InjectionColumns): InjectionRow {
    return { ...stored, endsTool: stored.endsTool === 1 };
  }
}
