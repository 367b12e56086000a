/** Handles an agent's calls about live sessions. People must permit whatever is typed. */
import { buildTypingPrompt, type Typing, type TypingPrompt } from "../../../model/console-call.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import type { ConsoleResult } from "../../../wire/calls/console-calls.js";
import type { ListedConsole } from "../../../wire/calls/agent-calls.js";
import type { RequestResult } from "../../prompts/pending-request.js";
import {
  INPUT_TOOL,
  INTERRUPT_TOOL,
  LIST_TOOL,
  PEEK_TOOL,
  RUN_TOOL,
  START_TOOL,
  WAIT_TOOL,
} from "./console-tool-schemas.js";
import type { PermissionArguments } from "./tools.js";

export interface AgentConsoles {
  list(): Promise<readonly ListedConsole[]>;
  /** Hints of the program's file; null: unreadable, or the user has not agreed to it. */
  findHints(program: string): Promise<string | null>;
  run(
    consoleId: string,
    run: {
      readonly commandId: string;
      readonly promptId: string;
      readonly command: string;
      readonly timeoutMs: number;
    },
  ): Promise<ConsoleResult>;
  act(
    consoleId: string,
    act: {
      readonly action: "wait" | "screen" | "interrupt" | "input";
      readonly timeoutMs: number;
      readonly commandId?: string;
      readonly promptId?: string;
      readonly input?: string;
    },
  ): Promise<{
    readonly problem: string | null;
    readonly result: ConsoleResult | null;
    readonly text: string | null;
  }>;
  /** Whether a person must be asked before that start. Rejects where it is not allowed at all. */
  mustAskToStart(program: string, args: readonly string[]): Promise<boolean>;
  /** Resolves when the program shows its first prompt. Rejects also where the start is no longer allowed. */
  start(program: string, args: readonly string[]): Promise<ListedConsole>;
  /** The session that replaced this one after a restart. */
  findSuccessor(consoleId: string): string | null;
  /** Ends the sessions that the agent started. */
  end(): Promise<void>;
}

export interface ConsoleToolsOptions {
  readonly consoles: () => Promise<AgentConsoles>;
  /** Asks people or their policies. Resolves with the prompt that was allowed; rejects where it was not. */
  readonly permit: (asked: TypingPrompt | PermissionArguments, signal: AbortSignal) => Promise<string>;
  /** Counts a start of which nobody is asked. Throws where there were too many. */
  readonly countStart: () => void;
}

type Arguments = Readonly<Record<string, unknown>>;

const DEFAULT_SECONDS = 30;

export class ConsoleTools {
  readonly #options: ConsoleToolsOptions;
  readonly #commands = new Map<string, string>();

  constructor(options: ConsoleToolsOptions) {
    this.#options = options;
  }

  /** Null for other tools. The arguments fit the schemas. Errors are for the agent. */
  call(name: string, given: Arguments, signal: AbortSignal): Promise<RequestResult> | null {
    switch (name) {
      case LIST_TOOL:
        return this.#list();
      case START_TOOL:
        return this.#start(given, signal);
      case RUN_TOOL:
        return this.#run(given, signal);
      case WAIT_TOOL:
        return this.#wait(given);
      case PEEK_TOOL:
        return this.#peekScreen(given);
      case INPUT_TOOL:
        return this.#sendInput(given, signal);
      case INTERRUPT_TOOL:
        return this.#interrupt(given);
      default:
        return null;
    }
  }

  async #list(): Promise<RequestResult> {
    const consoles = await this.#options.consoles();
    const listed = await consoles.list();
    return { sessions: await Promise.all(listed.map((each) => describeConsole(each, consoles))) };
  }

  async #start(given: Arguments, signal: AbortSignal): Promise<RequestResult> {
    const program = String(given["program"]);
    const args = (given["arguments"] ?? []) as readonly string[];
    const consoles = await this.#options.consoles();
    if (await consoles.mustAskToStart(program, args))
      await this.#options.permit({ tool_name: START_TOOL, input: { program, arguments: args } }, signal);
    else this.#options.countStart();
    return describeConsole(await consoles.start(program, args), consoles);
  }

  async #run(given: Arguments, signal: AbortSignal): Promise<RequestResult> {
    const { consoles, console: found } = await this.#find(given);
    const command = String(given["command"]);
    const promptId = await this.#permitTyping(RUN_TOOL, found, command, signal);
    // A permission is used once, so the hub accepts no other id.
    const commandId = promptId;
    this.#commands.set(found.consoleId, commandId);
    const run = { commandId, promptId, command, timeoutMs: readTimeout(given) };
    try {
      return describeResult(await consoles.run(found.consoleId, run));
    } catch (error) {
      return this.#waitAfterLoss(consoles, found.consoleId, run, error);
    }
  }

  async #wait(given: Arguments): Promise<RequestResult> {
    const { consoles, console: found } = await this.#find(given);
    const commandId = this.#commands.get(found.consoleId);
    if (commandId === undefined) throw new Error("you have run no command there");
    const timeoutMs = readTimeout(given);
    const waited = { action: "wait", commandId, timeoutMs } as const;
    try {
      const { result, problem } = await consoles.act(found.consoleId, waited);
      if (result === null) throw new Error(problem ?? "nothing is known of that command");
      return describeResult(result);
    } catch (error) {
      return this.#waitAfterLoss(consoles, found.consoleId, { commandId, timeoutMs }, error);
    }
  }

  /** After the hub was lost, the session still knows the command's result. Errors: `error`, unless the hub was lost. */
  async #waitAfterLoss(
    consoles: AgentConsoles,
    consoleId: string,
    { commandId, timeoutMs }: { readonly commandId: string; readonly timeoutMs: number },
    error: unknown,
  ): Promise<RequestResult> {
    if (!isHubLost(error)) throw error;
    const waited = consoles.act(consoleId, { action: "wait", commandId, timeoutMs });
    const known = await waited.catch(() => null);
    if (!known?.result) return rethrowDoubt("the command was typed")(error);
    return describeResult(known.result);
  }

  async #peekScreen(given: Arguments): Promise<RequestResult> {
    const { consoles, console: found } = await this.#find(given);
    const { text, problem } = await consoles.act(found.consoleId, { action: "screen", timeoutMs: 0 });
    if (problem !== null) throw new Error(problem);
    return { screen: text ?? "" };
  }

  async #sendInput(given: Arguments, signal: AbortSignal): Promise<RequestResult> {
    const { consoles, console: found } = await this.#find(given);
    const input = String(given["text"]);
    const promptId = await this.#permitTyping(INPUT_TOOL, found, input, signal);
    const act = { action: "input", input, promptId, timeoutMs: 0 } as const;
    const { problem } = await consoles.act(found.consoleId, act).catch(rethrowDoubt("the line was typed"));
    if (problem !== null) throw new Error(`nothing was typed: ${problem}`);
    return { typed: true };
  }

  async #interrupt(given: Arguments): Promise<RequestResult> {
    const { consoles, console: found } = await this.#find(given);
    const act = { action: "interrupt", timeoutMs: 0 } as const;
    const { problem } = await consoles.act(found.consoleId, act).catch(rethrowDoubt("the key was pressed"));
    if (problem !== null) throw new Error(problem);
    return { interrupt_sent: true };
  }

  /** The hub builds the same prompt, and types nothing unless exactly that one was allowed. */
  #permitTyping(
    tool: Typing["tool"],
    { consoleId, label, tool: program }: ListedConsole,
    text: string,
    signal: AbortSignal,
  ): Promise<string> {
    const typing = { tool, consoleId, session: label ?? program, text };
    return this.#options.permit(buildTypingPrompt(typing), signal);
  }

  async #find(
    given: Arguments,
  ): Promise<{ readonly consoles: AgentConsoles; readonly console: ListedConsole }> {
    const named = String(given["session"]);
    const consoles = await this.#options.consoles();
    const listed = await consoles.list();
    const matching = listed.filter(
      ({ consoleId, label, tool }) => consoleId === named || label === named || tool === named,
    );
    const [found] = matching;
    if (found && matching.length === 1) return { consoles, console: found };
    const known = listed.map(({ consoleId, label, tool }) => `${consoleId} (${label ?? tool})`);
    if (found)
      throw new Error(`several sessions are called "${named}"; name one by its id: ${known.join(", ")}`);
    const successor = consoles.findSuccessor(named);
    if (successor !== null)
      throw new Error(
        `that session ended, and ${successor} was started in its place, which knows nothing of it`,
      );
    const open = known.length > 0 ? `There are: ${known.join(", ")}` : HOW_TO_OPEN;
    throw new Error(`no session "${named}" is open to you. ${open}`);
  }
}

const HOW_TO_OPEN =
  "None is. Its person opens one at their terminal: atlasbridge console agents SESSION, or run --console-for-agents TOOL.";

function isHubLost(error: unknown): boolean {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
}

function rethrowDoubt(what: string): (error: unknown) => never {
  return (error) => {
    if (!isHubLost(error)) throw error;
    const doubt = `the connection was lost meanwhile, and it is not known whether ${what}`;
    throw new Error(`${doubt}; peek_screen shows the session's screen`, { cause: error });
  };
}

function readTimeout(given: Arguments): number {
  return Number(given["timeout_seconds"] ?? DEFAULT_SECONDS) * 1000;
}

async function describeConsole(
  { consoleId, tool, label, cwd, status }: ListedConsole,
  consoles: AgentConsoles,
): Promise<RequestResult> {
  const program = status?.program ?? tool;
  const hints = await consoles.findHints(program);
  return {
    session: consoleId,
    name: label ?? tool,
    program,
    directory: status?.cwd ?? cwd,
    mode: status?.mode ?? null,
    level: status?.level ?? null,
    running: status !== null && status.running !== null,
    ...(hints !== null && { hints }),
  };
}

function describeResult(result: ConsoleResult): RequestResult {
  const { state, note, text, cut, file, exitCode, cwd, mode, level, outOfBand, durationMs } = result;
  const { isIncomplete, isInterrupted, isExact, isProven } = result;
  return {
    state,
    output: text,
    exit_code: exitCode,
    directory: cwd,
    mode,
    level,
    duration_ms: durationMs,
    ...(note !== "" && { note }),
    ...(outOfBand !== "" && { printed_before: outOfBand }),
    ...(cut > 0 && { left_out_characters: cut, whole_output_file: file }),
    ...(isIncomplete && { incomplete: true }),
    ...(isInterrupted && { interrupt_sent: true }),
    ...(!isExact && { exact: false }),
    ...(!isProven && { prompt_proven: false }),
  };
}
