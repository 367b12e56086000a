/** What a rule found in a view: a prompt that is not stamped yet. */
import type { Choice, Constraints, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
import type { Fingerprint } from "../model/ids.js";

/** How one choice is taken at the keyboard. Only what the adapter file declares. */
export type ChoiceAnswer =
  /** One key acts at once, nothing follows it: `"1"`, `"\u001b"`. */
  | { readonly by: "key"; readonly key: string }
  /** Move the highlight with arrows onto the row, check, then Enter. */
  | { readonly by: "arrows" }
  /** Type this on a canonical line, then Enter. */
  | { readonly by: "line"; readonly text: string }
  /** Type this; Enter follows only where the tool did not act on the key itself and shows what was typed. */
  | { readonly by: "typed"; readonly text: string };

export interface CandidateChoice extends Choice {
  readonly answer: ChoiceAnswer;
  /** 0-based view rows that show the choice. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** Where choices stand side by side: the column of this one. */
  readonly column?: number;
  /** Check lists: is it ticked now. */
  readonly checked?: boolean;
  /**
   * A row that takes text: keys that open its text field once the row is highlighted (`Tab` on a plain "No"). Absent: being
   * highlighted is enough; then `answer` (a digit or arrows) only highlights the row.
   */
  readonly textKeys?: readonly string[];
  /** The row takes its words elsewhere: they follow in the tool's composer once the choice was taken. */
  readonly textTo?: "composer";
}

/** How a check list is worked where its rows have no toggle key of their own, and how it is handed in. */
export interface CheckListKeys {
  /** Ticks the highlighted row (`" "`); absent where each row's own `answer` key ticks it. */
  readonly toggle?: string;
  /** In order; the last one hands the list in. Without them no answer to a check list is typed. */
  readonly submit: readonly SubmitKey[];
}

export interface SubmitKey {
  readonly key: string;
  /** Rule whose dialog this key must have brought up before the next key (a review page); absent: the list is still there. */
  readonly leadsTo?: string;
}

export interface Candidate {
  /** Name of the rule in the adapter file. */
  readonly rule: string;
  readonly shape: string;
  readonly promptType: PromptType;
  readonly safetyClass: SafetyClass;
  /** A menu of the user's as far as its looks tell; a dialog that no rule reads may look the same. */
  readonly byLooks?: true;
  /** 0..1 */
  readonly score: number;
  /** The question as one line, wraps joined. */
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  /** 1-based row that is highlighted now, or the default letter of a yes/no; null when there is none. */
  readonly highlighted: number | null;
  /** 1-based row from which arrows move, where that is not the highlighted one: in a radio list Enter takes another. */
  readonly at?: number;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /**
   * The rows that show content and question, exactly as they are drawn. Empty where the rule reads only a question: what was
   * typed, or an error, may stand beside it.
   */
  readonly drawn: string;
  /** The same of the choices and of what explains the highlighted one. It changes with highlight and ticks. */
  readonly listed: string;
  /** Of the terminal, in character cells: rows are wrapped and cut by it. */
  readonly size: { readonly cols: number; readonly rows: number };
  /** The dialog above its question, cut where it draws lines across: what stands alone between two of them is one thing. */
  readonly parts?: readonly string[];
  /** For so many ms after it was raised the tool may still drop keys. Absent: it takes them at once. */
  readonly deafMs?: number;
  /** Once it was answered the tool may draw the dialog before it again, for so many ms. */
  readonly revealsMs?: number;
  /** 0-based view rows, inclusive: everything that belongs to the prompt. */
  readonly region: { readonly top: number; readonly bottom: number };
  readonly fingerprint: Fingerprint;
  /**
   * How free text goes in: `line` types it with its Enter in one write; `typed` types it where the cursor stands, looks, and
   * presses Enter; `paste` puts it into a composer or text row first. For `paste` the rule must still match, with the same
   * question, while the text stands in the field: Enter is not pressed else.
   */
  readonly textEntry?: "line" | "typed" | "paste";
  /** Text that stands in the field of a drawn question now, suggestions left out, and the key that empties it. */
  readonly field?: { readonly text: string; readonly clear?: string };
  /** Somebody has typed into its field, or behind it on its line, and not submitted it: an answer would be added to that. */
  readonly hasDraft?: true;
  readonly checkList?: CheckListKeys;
  /**
   * The list is longer than its place: rows are not drawn, and others come into sight when the highlight moves. Its fingerprint
   * without any rows.
   */
  readonly torn?: Fingerprint;
  /** Above the content stands more, behind a blank row: it may be about the question or not. */
  readonly hasMoreAbove?: true;
  /** Where content is cut, it is so at the edge of its rows only. */
  readonly hasAllRows?: true;
  /** Bytes of Enter, Esc … that commit an answer locally (ADR 3). */
  readonly committingKeys: readonly string[];
  /** 1-based choices after which the tool is expected to end ("No, exit"). */
  readonly endsTool: readonly number[];
}
