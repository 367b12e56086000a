/** A session's console: answers the hub's calls, and refuses them while it is closed. */
import type { Clock } from "../model/clock.js";
import type { ConsoleResult, ConsoleStatus } from "../wire/calls/console-calls.js";
import type { ParamsOf, ResultOf, WorkerCalls } from "../wire/messages.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";
import { buildRefusal, type CommandResult } from "../worker/runtimes/program/output/command-result.js";
import { ActMemory, CommandMemory } from "./command-memory.js";
import { listOfferedCommands } from "./offered-commands.js";
import type { ProgramSession } from "../worker/runtimes/program/program-session.js";

export interface ConsoleServiceOptions {
  readonly session: Pick<
    ProgramSession,
    "run" | "wait" | "press" | "sendInput" | "halt" | "running" | "pending" | "current" | "phase" | "shutDown"
  >;
  readonly program: ProgramFile;
  readonly clock: Pick<Clock, "monotonic">;
  readonly forAgents: boolean;
  readonly readScreen: () => string;
}

const CLOSED = "its console is closed; the person at its terminal opens it: atlasbridge console on SESSION";

/** A pause or a closing of the console does not arrive then. */
const HUB_LOST = "the hub was lost meanwhile";
const OTHER = "its id was given to another command before; give it a new one";
const LONG_AGO = "it was typed before, and what became of it is not known any more";

const TYPING: readonly string[] = ["interrupt", "eof", "suspend", "input"];

type Acted = ResultOf<WorkerCalls, "console.act">;

export class ConsoleService {
  readonly #options: ConsoleServiceOptions;
  readonly #commands: CommandMemory;
  readonly #acts: ActMemory<Acted>;
  #isOpen = true;
  #isForAgents: boolean;

  constructor(options: ConsoleServiceOptions) {
    this.#options = options;
    this.#commands = new CommandMemory(options.clock);
    this.#acts = new ActMemory(options.clock);
    this.#isForAgents = options.forAgents;
  }

  /** Ends the program as its file says. `signal` comes first if it is not at its prompt. */
  end(signal: NodeJS.Signals): Promise<void> {
    return this.#options.session.shutDown(signal);
  }

  get state(): ResultOf<WorkerCalls, "console.state"> {
    return {
      open: this.#isOpen,
      agents: this.#isOpen && this.#isForAgents,
      problem: this.#isOpen ? null : CLOSED,
      status: this.#status,
    };
  }

  get #status(): ConsoleStatus {
    const { session, program } = this.#options;
    const { mode, level, cwd } = session.current;
    return {
      program: program.name,
      mode,
      level,
      cwd,
      ready: session.phase !== "starting",
      running: session.running?.latest ?? null,
    };
  }

  set({ open, agents = false }: ParamsOf<WorkerCalls, "console.set">): ResultOf<WorkerCalls, "console.set"> {
    if (!open) this.#options.session.halt("its console was closed");
    // The caller of the waiting command is unknown.
    else if (this.#isForAgents && !agents)
      this.#options.session.halt("its console was closed to agents; give it again");
    this.#isOpen = open;
    this.#isForAgents = agents;
    return { problem: null };
  }

  halt(): void {
    this.#options.session.halt("AtlasBridge was paused");
  }

  /** Nothing more is typed. A command of which nothing was typed may be repeated over the next hub. */
  noteHubLost(): void {
    this.#options.session.halt(HUB_LOST);
  }

  /** Idempotent by `commandId`. */
  async run(call: ParamsOf<WorkerCalls, "console.run">): Promise<ConsoleResult> {
    const { commandId, command, timeoutMs, directory, raw, mode } = call;
    const { session } = this.#options;
    if (!this.#isOpen) return toWireResult(buildRefusal(CLOSED, session.current));
    const wish = JSON.stringify([command, directory ?? null]);
    const known = this.#commands.look(commandId, wish);
    if (known === "other") return toWireResult(buildRefusal(OTHER, session.current));
    if (known === "given")
      return (
        (await this.#wait(commandId, timeoutMs, raw)) ?? toWireResult(buildRefusal(LONG_AGO, session.current))
      );
    const before = session.pending;
    const first = session.run(command, { timeoutMs, directory, mode });
    // Only this result reports a refused command.
    const { pending } = session;
    const end = pending === null || pending === before ? first : pending;
    this.#commands.remember(commandId, wish, end);
    void end.then(({ state, note }) => {
      if (this.#commands.find(commandId) !== end) return;
      if (state === "refused") this.#commands.noteRefused(commandId, note === HUB_LOST);
      else this.#commands.noteEnded(commandId);
    });
    return this.#tell(await first, raw);
  }

  async #wait(
    commandId: string | undefined,
    timeoutMs: number,
    raw?: boolean,
  ): Promise<ConsoleResult | null> {
    const { session } = this.#options;
    const end = commandId === undefined ? null : this.#commands.find(commandId);
    if (commandId !== undefined && end === null) return null;
    if (end !== null && session.pending !== end) return this.#tell(await end, raw);
    const result = (await session.wait({ timeoutMs })) ?? (await end);
    return result && this.#tell(result, raw);
  }

  /** A result with the commands that may be offered now. The person at the terminal may have gone on since. */
  #tell(result: CommandResult, raw?: boolean): ConsoleResult {
    const { session, program } = this.#options;
    const hasEnded = result.state === "finished" || result.state === "refused";
    const isAtPrompt = this.#isOpen && session.phase === "prompt" && session.pending === null;
    const offers = hasEnded && isAtPrompt ? listOfferedCommands(program, result.mode) : [];
    return { ...toWireResult(result, raw), ...(offers.length > 0 && { offers }) };
  }

  /** Also works on a closed console, so that a running command is recorded. */
  async awaitEnd({
    commandId,
  }: ParamsOf<WorkerCalls, "console.end">): Promise<{ result: ConsoleResult | null }> {
    const end = this.#commands.find(commandId);
    return { result: end && this.#tell(await end) };
  }

  /** Idempotent by `actId`. */
  act(wish: ParamsOf<WorkerCalls, "console.act">): Promise<Acted> {
    const { actId, action } = wish;
    if (actId === undefined || !TYPING.includes(action)) return this.#act(wish);
    return this.#acts.once(actId, () => this.#act(wish));
  }

  async #act({
    action,
    input = "",
    timeoutMs,
    commandId,
    raw,
  }: ParamsOf<WorkerCalls, "console.act">): Promise<Acted> {
    const { session, readScreen } = this.#options;
    if (!this.#isOpen) return say({ problem: CLOSED });
    switch (action) {
      case "wait":
        return say({ result: await this.#wait(commandId, timeoutMs, raw) });
      case "interrupt":
      case "eof":
      case "suspend":
        return say({ problem: await session.press(action) });
      case "input":
        return say({ problem: await session.sendInput(input) });
      case "screen":
        return say({ text: readScreen() });
    }
  }
}

function say(acted: Partial<Acted>): Acted {
  return { problem: null, result: null, text: null, ...acted };
}

/** `isRaw`: with the output's bytes. */
function toWireResult({ output, captures, ...rest }: CommandResult, isRaw = false): ConsoleResult {
  const { text, cut, bytes, file, rawFile, isExact } = output;
  const raw = isRaw ? { raw: rawFile === null ? Buffer.from(output.raw).toString("base64") : null } : {};
  return { ...rest, text, cut, bytes, file, rawFile, ...raw, isExact, captures: { ...captures } };
}

const NONE = "it was not started with a console: atlasbridge run --console TOOL";

export function consoleHandlers(console: ConsoleService | null) {
  return {
    "console.state": () => console?.state ?? { open: false, problem: NONE },
    "console.set": (wish: ParamsOf<WorkerCalls, "console.set">) => console?.set(wish) ?? { problem: NONE },
    "console.run": (run: ParamsOf<WorkerCalls, "console.run">) => {
      if (console === null) throw new Error(NONE);
      return console.run(run);
    },
    "console.end": (wish: ParamsOf<WorkerCalls, "console.end">) =>
      console?.awaitEnd(wish) ?? { result: null },
    "console.act": (act: ParamsOf<WorkerCalls, "console.act">) => console?.act(act) ?? say({ problem: NONE }),
  };
}
