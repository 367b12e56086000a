/** The `hooks:` section of an adapter file → `CompiledHooks`: defaults filled in. */
import type { CompiledHooks, DrawnTest, HookCallRule, HookEvent, SettingsPlace } from "./compiled-hooks.js";
import { invariant } from "../../../model/errors.js";
import type { HooksSection } from "../hooks-file.js";

type Call = HooksSection["calls"][number];
type Event = HooksSection["events"][string];

export function compileHooks(section: HooksSection): CompiledHooks {
  return {
    versions: section.versions,
    settings: settingsPlace(section),
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

function settingsPlace(section: HooksSection): SettingsPlace {
  const { settings_option: option, settings_override: override, settings_variable: given } = section;
  if (option !== undefined) return { by: "option", option };
  if (override) {
    const { options, key, trusted_as: trustedAs } = override;
    return { by: "override", options, key, trustedAs };
  }
  invariant(given, "a hooks section without a place for its settings was loaded");
  return { by: "variable", variable: given.name, insteadOf: given.instead_of };
}

function compileEvent(name: string, { asks, lends, corrects, state, says, by }: Event): HookEvent {
  const told = lends && {
    tool: lends.tool.split("."),
    input: lends.input === undefined ? [] : lends.input.split("."),
    fields: lends.fields ?? null,
    form: lends.form ?? null,
  };
  const others = { state: state ?? null, says: says ?? null, by };
  return { name, asks, lends: told ?? null, corrects: corrects ?? null, ...others };
}

function compileCall(call: Call): HookCallRule {
  const asksQuestions = call.as === "questions";
  return {
    tool: call.tool,
    as: call.as,
    safetyClass: call.class ?? (asksQuestions ? "question" : "permission"),
    question: call.question ?? "Allow {tool}?",
    content: call.content,
    choices: call.choices?.map(({ label, intent, mode }) => ({ label, intent, mode: mode ?? null })) ?? null,
    returnsInput: call.returns_input,
    drawn: drawnTest(call.drawn),
  };
}

export function drawnTest(drawn: Call["drawn"]): DrawnTest {
  const { part, path, lines, text, rows, beside = [], marks = [] } = drawn ?? {};
  if (part !== undefined) return { by: "part", text: part };
  if (path !== undefined) return { by: "path", text: path };
  if (lines !== undefined) return { by: "lines", text: lines, beside };
  if (text !== undefined) return { by: "text", text };
  return rows === undefined ? { by: "values" } : { by: "rows", text: rows, beside, marks };
}
