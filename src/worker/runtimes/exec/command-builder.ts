import { createUsageError } from "../../../model/errors.js";
import { findNearest } from "../../../model/data/nearest.js";
import type { CompiledHeadless, Talk } from "../../adapter-format/compiled/compiled-headless.js";
import { isSessionName } from "../protocol/session-name.js";

export interface DriverTask {
  readonly prompt: string;
  readonly context: string | null;
  readonly session: string | null;
  readonly allowTools: readonly string[];
}

export interface DriverCommand {
  readonly args: readonly string[];
  readonly input: string | null;
}

/** Whether this kind of run can resume a session. An agent of the Agent Client Protocol reports this at its start. */
export function canResume(driver: CompiledHeadless, isTalkedTo: boolean): boolean {
  const { sessions, sessionArgs, talk } = driver;
  if (!isTalkedTo || talk?.speaks === "stream_json") return sessions && sessionArgs !== null;
  return talk?.speaks === "acp" || (talk !== null && sessions);
}

const DENIAL_HELP =
  "A permission of {tool} was denied. Answer its prompts on the phone or with `atlasbridge watch`, or allow the tools that it needs " +
  "in its own settings.";

export function describePermissionDenial({ denialHelp, displayName }: CompiledHeadless): string {
  return (denialHelp ?? DENIAL_HELP).replaceAll("{tool}", displayName);
}

/**
 * Builds the command of a run that does one task and ends (`driver_build_command`). Errors: ATB_USAGE if the driver does not support this.
 */
export function buildCommand(driver: CompiledHeadless, task: DriverTask): DriverCommand {
  const { command, contextArgs, promptArgs, displayName } = driver;
  if (command === null) throw createUsageError(`${displayName} has no batch mode`, "Leave out --batch.");
  const prompt = contextArgs === null ? prependContext(task.context, task.prompt) : task.prompt;
  const context =
    contextArgs && task.context !== null ? fillPlaceholder(contextArgs, "{context}", task.context) : [];
  const prompted = promptArgs ? fillPlaceholder(promptArgs, "{prompt}", prompt) : [];
  return {
    args: [
      ...command,
      ...buildAllowArguments(driver, task),
      ...buildResumeArguments(driver, task.session),
      ...context,
      ...prompted,
    ],
    input: promptArgs ? null : prompt,
  };
}

/** Prepares the arguments for live output (`driver_prepare_live_command`), as far as the driver describes changes. */
export function prepareLiveCommand(driver: CompiledHeadless, args: readonly string[]): readonly string[] {
  const { command, live } = driver;
  if (live === null || command === null) return args;
  const own = args.slice(0, command.length).map((arg) => live.replace[arg] ?? arg);
  return [...own, ...live.add, ...args.slice(command.length)];
}

/** Builds the arguments of a session over a protocol. `acp`: those of the adapter file's own section. */
export function buildProtocolArguments(
  driver: CompiledHeadless,
  talk: Talk,
  task: Pick<DriverTask, "session" | "allowTools">,
  acp: readonly string[],
): readonly string[] {
  checkName(task.session);
  switch (talk.speaks) {
    case "stream_json": {
      const { args } = buildCommand(
        { ...driver, contextArgs: [], promptArgs: [] },
        { ...task, prompt: "", context: null },
      );
      return [...prepareLiveCommand(driver, args), ...talk.add];
    }
    case "app_server":
    case "session_server":
      return [...talk.args, ...buildAllowArguments(driver, task)];
    case "acp":
      return [...acp, ...buildAllowArguments(driver, task)];
  }
}

/** Puts the context before the prompt, for tools without an option for it. */
export function prependContext(context: string | null, prompt: string): string {
  return context === null || context === "" ? prompt : `${context}\n\n${prompt}`;
}

function buildAllowArguments(
  driver: CompiledHeadless,
  { allowTools: wanted }: Pick<DriverTask, "allowTools">,
): string[] {
  if (wanted.length === 0) return [];
  if (driver.allowTools === null)
    throw createUsageError(
      `${driver.displayName} takes no list of allowed tools`,
      "Leave out --allow-tools, or allow them in its own settings.",
    );
  return driver.allowTools.flatMap((arg) => (arg === "{tools}" ? wanted : [arg]));
}

function buildResumeArguments(
  { sessions, sessionArgs, displayName }: CompiledHeadless,
  session: string | null,
): string[] {
  if (session === null) return [];
  checkName(session);
  if (!sessions || sessionArgs === null)
    throw createUsageError(`${displayName} cannot resume an earlier session`, "Leave out --session.");
  return fillPlaceholder(sessionArgs, "{session}", session);
}

function checkName(session: string | null): void {
  if (session !== null && !isSessionName(session))
    throw createUsageError("that is no session id", "It is the id that an earlier run printed.");
}

function fillPlaceholder(args: readonly string[], place: string, value: string): string[] {
  return args.map((arg) => arg.replaceAll(place, () => value));
}

/** `Bash`, `Bash(git *)`; tools of MCP servers cannot be known beforehand. */
const ALLOWED = /^([\w.-]{1,200})(\([^()]{1,500}\))?$/;
const MCP_TOOL = /^mcp__[\w-]{1,200}$/;

/** Checks a list of allowed tools against those that the tool has. Errors: ATB_USAGE, with the nearest name. */
export function validateAllowedTools(
  { tools, displayName }: CompiledHeadless,
  wanted: readonly string[],
): void {
  for (const pattern of wanted) {
    const [, name = ""] = ALLOWED.exec(pattern) ?? [];
    if (tools.includes(pattern) || tools.includes(name) || MCP_TOOL.test(name)) continue;
    const meant = findNearest(name === "" ? pattern : name, tools);
    throw createUsageError(
      `${displayName} has no tool "${pattern}"`,
      meant ? `Did you mean "${meant}"?` : `It has: ${tools.join(", ")}.`,
    );
  }
}
