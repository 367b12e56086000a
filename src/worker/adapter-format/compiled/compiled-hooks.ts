/** The loaded `hooks:` section of an adapter: plain data, as all of a `CompiledAdapter`. */
import type { ChoiceIntent, SafetyClass } from "../../../model/prompt.js";
import type { OptionShapes } from "../../process/command-line.js";

/** The fields of an observed call that hold the tool's name and the input, as paths from the outside in. */
export interface PreviewedCall {
  readonly tool: readonly string[];
  readonly input: readonly string[];
  /** The fields of the input to use; null: all. */
  readonly fields: readonly string[] | null;
  /** Fields of the input, where it is a form that can be filled in. */
  readonly form: { readonly message: string; readonly schema: string } | null;
}

export interface HookEvent {
  readonly name: string;
  /** It waits for our decision while the tool's own dialog takes answers as well. */
  readonly asks: boolean;
  /** It reports the content of the next dialog and gets no decision. */
  readonly preview: PreviewedCall | null;
  /** It reports how a form was answered; our response replaces the answer when this field holds this text. */
  readonly override: { readonly field: string; readonly was: string } | null;
  readonly state: "working" | "idle" | null;
  /** Field with the tool's last message. */
  readonly lastMessage: string | null;
  readonly by: "http" | "command";
}

export interface HookChoice {
  readonly label: string;
  readonly intent: ChoiceIntent;
  readonly mode: string | null;
}

/** How the dialog of a call is known again on the screen; texts with field names in braces. */
export type DrawnTest =
  | { readonly by: "part"; readonly text: string }
  | { readonly by: "path"; readonly text: string }
  | { readonly by: "lines"; readonly text: string; readonly beside: readonly string[] }
  | { readonly by: "text"; readonly text: string }
  | {
      readonly by: "rows";
      readonly text: string;
      readonly beside: readonly string[];
      readonly marks: readonly string[];
    }
  /** The dialog contains every short value of the input. */
  | { readonly by: "values" };

export interface HookCallRule {
  /** A pattern. */
  readonly tool: string;
  /** A pattern: a dialog with this question shows a call that was reported before. */
  readonly asked?: string;
  readonly as: "permission" | "questions";
  readonly safetyClass: SafetyClass;
  readonly question: string;
  readonly content: readonly string[];
  readonly choices: readonly HookChoice[] | null;
  readonly returnsInput: boolean;
  readonly drawn: DrawnTest;
}

/** Where the tool finds the settings of one run. */
export type SettingsPlace =
  | { readonly by: "option"; readonly option: string }
  | {
      readonly by: "variable";
      readonly variable: string;
      readonly insteadOf: readonly string[];
    }
  | {
      readonly by: "override";
      readonly options: readonly string[];
      readonly key: string;
      readonly trustedAs: string;
    }
  | { readonly by: "plugin"; readonly option: string };

export interface CompiledHooks {
  /** A version range. */
  readonly versions: string;
  readonly settings: SettingsPlace;
  readonly options: OptionShapes;
  readonly environmentFiles: readonly string[];
  readonly notWith: readonly string[];
  /** Null: the tool's own limit. */
  readonly timeoutSeconds: number | null;
  readonly noInterrupts: boolean;
  readonly events: readonly HookEvent[];
  readonly modes: Readonly<Record<string, string>>;
  /** The first whose pattern matches counts. */
  readonly calls: readonly HookCallRule[];
}
