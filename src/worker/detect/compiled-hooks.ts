/** The loaded `hooks:` section of an adapter: plain data, as all of a `CompiledAdapter`. */
import type { ChoiceIntent, SafetyClass } from "../../model/prompt.js";
import type { OptionShapes } from "../evidence/hooks/command-line.js";

export interface HookEvent {
  readonly name: string;
  /** It waits for our decision while the tool's own dialog takes answers as well. */
  readonly asks: boolean;
  readonly state: "working" | "idle" | null;
  /** Field with the tool's last message. */
  readonly says: string | null;
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
  | { readonly by: "lines"; readonly text: string }
  /** Every short value of the input stands in it. */
  | { readonly by: "values" };

export interface HookCallRule {
  /** A pattern. */
  readonly tool: string;
  readonly as: "permission" | "questions";
  readonly safetyClass: SafetyClass;
  readonly question: string;
  readonly content: readonly string[];
  readonly choices: readonly HookChoice[] | null;
  readonly returnsInput: boolean;
  readonly drawn: DrawnTest;
}

export interface CompiledHooks {
  /** A version range. */
  readonly versions: string;
  readonly settingsOption: string;
  readonly options: OptionShapes;
  readonly environmentFiles: readonly string[];
  readonly notWith: readonly string[];
  readonly timeoutSeconds: number;
  readonly noInterrupts: boolean;
  readonly events: readonly HookEvent[];
  readonly modes: Readonly<Record<string, string>>;
  /** The first whose pattern matches counts. */
  readonly calls: readonly HookCallRule[];
}
