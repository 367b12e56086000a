/** The loaded `hooks:` section of an adapter: plain data, as all of a `CompiledAdapter`. */
import type { compileCall, compileEvent, compileHooks } from "./compile-hooks.js";
import type { Compiled } from "./plain-data.js";

export type CompiledHooks = Compiled<typeof compileHooks>;
export type HookEvent = Compiled<typeof compileEvent>;
export type HookCallRule = Compiled<typeof compileCall>;
/** Paths of an observed call's fields, from the outside in. */
export type PreviewedCall = NonNullable<HookEvent["preview"]>;

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
