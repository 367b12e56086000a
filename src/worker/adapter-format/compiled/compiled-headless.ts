/** The loaded `headless:` section of an adapter: plain data, as all of a `CompiledAdapter`; defaults filled in. */
import type { HeadlessSection } from "../headless-file.js";
import type { Compiled } from "./plain-data.js";

export type Literal = string | number | boolean | null;
export type ShowRule = Compiled<typeof compileShowRule>;
export type CompiledHeadless = Compiled<typeof compileHeadless>;
export type Talk = NonNullable<CompiledHeadless["talk"]>;

export function compileHeadless(section: HeadlessSection) {
  return {
    displayName: section.display_name,
    executables: section.executables ?? [],
    minVersion: section.min_version ?? null,
    tools: section.tools,
    allowTools: section.allow_tools ?? null,
    command: section.command ?? null,
    live: section.live === false ? null : section.live,
    sessions: section.sessions,
    sessionArgs: section.session_args ?? null,
    contextArgs: section.context_args ?? null,
    promptArgs: section.prompt_args ?? null,
    show: section.show === "lines" ? section.show : section.show.map(compileShowRule),
    sessionIn: section.session_in,
    sessionList: section.session_list ?? null,
    denialHelp: section.denial_help ?? null,
    talk: section.talk ?? null,
  };
}

type ShowEntry = Exclude<HeadlessSection["show"], "lines">[number];

function compileShowRule(entry: ShowEntry) {
  const { when, where } = entry;
  return {
    when,
    where,
    each: entry.each ?? null,
    text: entry.text ?? null,
    thought: entry.thought ?? null,
    message: entry.message ?? null,
    call: entry.call ?? null,
    input: entry.input ?? null,
    id: entry.id ?? null,
    result: entry.result ?? null,
    failed: entry.failed ?? null,
  };
}
