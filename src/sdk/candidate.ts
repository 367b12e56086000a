/** What a rule found in a view: a prompt before it gets its ids. */
import type { Choice, Constraints, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
import type { Fingerprint } from "../model/ids.js";

/** How one choice is selected at the keyboard, as the adapter file declares it. */
export type ChoiceAnswer =
  /** One key acts at once, without Enter: `"1"`, `"\u001b"`. */
  | { readonly by: "key"; readonly key: string }
  /** Move the highlight to the row with arrows, check it, then press Enter. */
  | { readonly by: "arrows" }
  /** Type this on a canonical line, then Enter. */
  | { readonly by: "line"; readonly text: string }
  /** Type this; Enter follows only if the tool did not act on the key itself and shows the typed text. */
  | { readonly by: "typed"; readonly text: string };

export interface CandidateChoice extends Choice {
  readonly answer: ChoiceAnswer;
  /** 0-based view rows that show the choice. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** The column of this choice, if choices are side by side. */
  readonly column?: number;
  /** Check lists: whether it is ticked now. */
  readonly checked?: boolean;
  /**
   * A row with a text field: the keys that open the field once the row is highlighted (`Tab` on a plain "No"). Absent:
   * highlighting is enough; `answer` (a digit or arrows) then only highlights the row.
   */
  readonly textKeys?: readonly string[];
  /** The row's text goes elsewhere: it is typed into the tool's composer after the choice was made. */
  readonly textTo?: "composer";
}

/** How a check list is operated if its rows have no toggle key of their own, and how it is submitted. */
export interface CheckListKeys {
  /** Ticks the highlighted row (`" "`); absent if each row's own `answer` key ticks it. */
  readonly toggle?: string;
  /** In order; the last key submits the list. Without them no answer to a check list is typed. */
  readonly submit: readonly SubmitKey[];
}

export interface SubmitKey {
  readonly key: string;
  /** The rule whose dialog must appear after this key before the next key (a review page); absent: the list stays. */
  readonly leadsTo?: string;
}

export interface Candidate {
  /** Name of the rule in the adapter file. */
  readonly rule: string;
  readonly shape: string;
  readonly promptType: PromptType;
  readonly safetyClass: SafetyClass;
  /** It looks like a menu opened by the user; a dialog without a rule may look the same. */
  readonly fitsAnyMenu?: true;
  /** 0..1 */
  readonly score: number;
  /** The question as one line, with wrapped lines joined. */
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  /** 1-based highlighted row, or the default letter of a yes/no; null if there is none. */
  readonly highlighted: number | null;
  /**
   * 1-based row from which arrows move, if it is not the highlighted one: in a radio list Enter selects another. A fraction: the mark is
   * on a row between two choices that cannot be chosen.
   */
  readonly at?: number;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /**
   * The rows of content and question, exactly as drawn. Empty if the rule reads only a question, because typed text or an error
   * may be beside it.
   */
  readonly drawn: string;
  /** The rows of the choices and of the highlighted one's explanation. They change with highlight and ticks. */
  readonly listed: string;
  /** The terminal's size in character cells, by which rows are wrapped and truncated. */
  readonly size: { readonly cols: number; readonly rows: number };
  /** The dialog above its question, split at drawn horizontal lines: each part is a unit. */
  readonly parts?: readonly string[];
  /** The first part is a title, which may wrap differently at another size. */
  readonly hasTitleAboveLine?: true;
  /** For this many ms after it was raised the tool may still drop keys. Absent: it accepts keys at once. */
  readonly dropsKeysMs?: number;
  /** After the answer, the tool may draw the dialog of this rule, from which it opened this one, once more for so many ms. */
  readonly reveals?: { readonly rule: string; readonly withinMs: number };
  /** 0-based view rows, inclusive: everything that belongs to the prompt. */
  readonly region: { readonly top: number; readonly bottom: number };
  readonly fingerprint: Fingerprint;
  /** Another program may have opened the terminal since it was drawn. Part of its identity. */
  readonly opened?: true;
  /**
   * How free text is entered: `line` writes it with its Enter at once; `typed` types it at the cursor, verifies it, and presses
   * Enter; `paste` pastes it into a composer or text row first. For `paste` the rule must still match with the same question
   * while the text is in the field; otherwise Enter is not pressed.
   */
  readonly textEntry?: "line" | "typed" | "paste";
  /** The text now in a drawn input field, without suggestions, and the key that clears it. */
  readonly field?: { readonly text: string; readonly clear?: string };
  /** Somebody has typed into its field or behind it on its line without submitting: an answer would be appended to that. */
  readonly hasDraft?: true;
  readonly checkList?: CheckListKeys;
  /** Of a screen that no rule reads: its highlighted cells and the cursor. Not part of its identity. */
  readonly looks?: string;
  /** The list is longer than its area, so that rows appear as the highlight moves. Its fingerprint ignores rows. */
  readonly torn?: Fingerprint;
  /** More text is above the content, after a blank row: it may or may not belong to the question. */
  readonly hasMoreAbove?: true;
  /** If the content is truncated, it is so only at the edge of its rows. */
  readonly hasAllRows?: true;
  /** Bytes of keys such as Enter or Esc that commit an answer locally (ADR 3). */
  readonly committingKeys: readonly string[];
  /** 1-based choices after which the tool is expected to exit ("No, exit"). */
  readonly endsTool: readonly number[];
}
