/** The `hooks:` section of an adapter file → `CompiledHooks`: defaults filled in. */
import { assertInvariant } from "../../../model/errors.js";
import type { SafetyClass } from "../../../model/prompt.js";
import type { HooksSection } from "../hooks-file.js";

type CallEntry = HooksSection["calls"][number];
type EventEntry = HooksSection["events"][string];

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

export function compileHooks(section: HooksSection) {
  return {
    versions: section.versions,
    settings: compileSettingsPlace(section),
    options: section.options,
    environmentFiles: section.environment_files,
    notWith: section.not_with,
    timeoutSeconds: section.timeout_seconds ?? null,
    noInterrupts: section.no_interrupts,
    events: Object.entries(section.events).map(([name, event]) => compileEvent(name, event)),
    modes: section.modes,
    calls: section.calls.map(compileCall),
  };
}

function compileSettingsPlace(section: HooksSection): SettingsPlace {
  const { settings_option: option, settings_override: override, settings_variable: given } = section;
  if (option !== undefined) return { by: "option", option };
  if (section.plugin_option !== undefined) return { by: "plugin", option: section.plugin_option };
  if (override) {
    const { options, key, trusted_as: trustedAs } = override;
    return { by: "override", options, key, trustedAs };
  }
  assertInvariant(given, "a hooks section without a place for its settings was loaded");
  return { by: "variable", variable: given.name, insteadOf: given.instead_of };
}

export function compileEvent(
  name: string,
  { asks, preview, override, state, last_message: lastMessage, by }: EventEntry,
) {
  const previewed = preview && {
    tool: preview.tool.split("."),
    input: preview.input === undefined ? [] : preview.input.split("."),
    fields: preview.fields ?? null,
    form: preview.form ?? null,
  };
  const others = { state: state ?? null, lastMessage: lastMessage ?? null, by };
  return { name, asks, preview: previewed ?? null, override: override ?? null, ...others };
}

export function compileCall(call: CallEntry) {
  const safetyClass: SafetyClass = call.class ?? (call.as === "questions" ? "question" : "permission");
  return {
    tool: call.tool,
    ...(call.asked !== undefined && { asked: call.asked }),
    as: call.as,
    safetyClass,
    question: call.question ?? "Allow {tool}?",
    content: call.content,
    choices: call.choices?.map(({ label, intent, mode }) => ({ label, intent, mode: mode ?? null })) ?? null,
    returnsInput: call.returns_input,
    drawn: compileDrawnTest(call.drawn),
  };
}

export function compileDrawnTest(drawn: CallEntry["drawn"]): DrawnTest {
  const { part, path, lines, text, rows, beside = [], marks = [] } = drawn ?? {};
  if (part !== undefined) return { by: "part", text: part };
  if (path !== undefined) return { by: "path", text: path };
  if (lines !== undefined) return { by: "lines", text: lines, beside };
  if (text !== undefined) return { by: "text", text };
  return rows === undefined ? { by: "values" } : { by: "rows", text: rows, beside, marks };
}
