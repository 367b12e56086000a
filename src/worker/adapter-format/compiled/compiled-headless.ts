/** The loaded `headless:` section of an adapter: plain data, as all of a `CompiledAdapter`; defaults filled in. */
import type { HeadlessSection } from "../headless-file.js";

export type Literal = string | number | boolean | null;

export interface ShowRule {
  readonly when: Readonly<Record<string, Literal>>;
  readonly each: string | null;
  readonly where: Readonly<Record<string, Literal>>;
  readonly text: string | null;
  readonly thought: string | null;
  readonly message: string | null;
  readonly call: string | null;
  readonly input: string | null;
  readonly id: string | null;
  readonly result: string | null;
  /** The field with the error, or `true` if the event itself means failure. */
  readonly failed: string | true | null;
}

export type Talk =
  | { readonly speaks: "stream_json"; readonly add: readonly string[] }
  | { readonly speaks: "app_server"; readonly args: readonly string[] }
  | { readonly speaks: "session_server"; readonly args: readonly string[] }
  | { readonly speaks: "acp" };

export interface CompiledHeadless {
  readonly displayName: string;
  readonly executables: readonly string[];
  readonly minVersion: string | null;
  readonly tools: readonly string[];
  readonly allowTools: readonly string[] | null;
  readonly command: readonly string[] | null;
  readonly live: {
    readonly replace: Readonly<Record<string, string>>;
    readonly add: readonly string[];
  } | null;
  readonly sessions: boolean;
  readonly sessionArgs: readonly string[] | null;
  readonly contextArgs: readonly string[] | null;
  readonly promptArgs: readonly string[] | null;
  readonly show: "lines" | readonly ShowRule[];
  readonly sessionIn: readonly string[];
  readonly sessionList: { readonly args: readonly string[]; readonly id: string } | null;
  readonly denialHelp: string | null;
  readonly talk: Talk | null;
}

export function compileHeadless(section: HeadlessSection): CompiledHeadless {
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
    show: section.show === "lines" ? "lines" : section.show.map(compileShowRule),
    sessionIn: section.session_in,
    sessionList: section.session_list ?? null,
    denialHelp: section.denial_help ?? null,
    talk: section.talk ?? null,
  };
}

type ShowEntry = Exclude<HeadlessSection["show"], "lines">[number];

function compileShowRule(entry: ShowEntry): ShowRule {
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
