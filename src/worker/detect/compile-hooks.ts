/** The `hooks:` section of an adapter file → `CompiledHooks`: defaults filled in. */
import type { CompiledHooks, DrawnTest, HookCallRule, HookEvent } from "./compiled-hooks.js";
import type { HooksSection } from "./hooks-file.js";

type Call = HooksSection["calls"][number];
type Event = HooksSection["events"][string];

export function compileHooks(section: HooksSection): CompiledHooks {
  return {
    versions: section.versions,
    settingsOption: section.settings_option,
    options: section.options,
    environmentFiles: section.environment_files,
    notWith: section.not_with,
    timeoutSeconds: section.timeout_seconds,
    noInterrupts: section.no_interrupts,
    events: Object.entries(section.events).map(([name, event]) => compileEvent(name, event)),
    modes: section.modes,
    calls: section.calls.map(compileCall),
  };
}

function compileEvent(name: string, { asks, state, says, by }: Event): HookEvent {
  return { name, asks, state: state ?? null, says: says ?? null, by };
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

function drawnTest(drawn: Call["drawn"]): DrawnTest {
  if (!drawn) return { by: "values" };
  if ("part" in drawn) return { by: "part", text: drawn.part };
  return "path" in drawn ? { by: "path", text: drawn.path } : { by: "lines", text: drawn.lines };
}
