/** One conversation with an agent: greeting, sign-in, session, turns, and the end of a turn that somebody cancels or nobody hears of. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Cancel, Clock } from "../../../model/clock.js";
import { AtlasBridgeError, invariant } from "../../../model/errors.js";
import { isObject, textOf, type Json } from "../../detect/json.js";
import type { Activity } from "./activity.js";
import { AgentConnection, type AgentConnectionOptions, type Greeting } from "./agent-connection.js";

/** An agent that was told to cancel ends its turn within a moment; one that does not is hung. */
export const CANCEL_WITHIN_MS = 10_000;
/** JSON-RPC error of an agent that wants its user to sign in first. */
const AUTH_REQUIRED = -32000;
const PING = "_atlasbridge/ping";

export interface SignIn {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

export interface AgentSessionOptions extends Omit<AgentConnectionOptions, "onMessage" | "onUpdate"> {
  readonly clock: Clock;
  readonly cwd: string;
  readonly version: string;
  /** What we can do for the agent besides answering. */
  readonly capabilities: Json;
  /** ms without a sign of life, while nobody is asked, after which a turn is cancelled. */
  readonly silenceMs: number;
  readonly isAsking: () => boolean;
  readonly onActivity: (update: Json) => Activity | null;
  /** Resolves to the way of signing in that a person chose, or null. */
  readonly chooseSignIn: (methods: readonly SignIn[]) => Promise<string | null>;
  /** The agent neither works nor ends its turn. */
  readonly onHung: () => void;
}

/** How a turn ended: the agent's own word, or why there is none. */
export interface TurnEnd {
  readonly stopReason: string | null;
  readonly problem: string | null;
}

export class AgentSession {
  readonly #options: AgentSessionOptions;
  readonly #connection: AgentConnection;
  #greeting: Greeting | null = null;
  #sessionId: string | null = null;
  #working = false;
  #messages = 0;
  #stopWatch: Cancel = () => undefined;
  #stopGrace: Cancel = () => undefined;
  #onIdle: ((stopReason: string | null) => void) | null = null;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.#connection = new AgentConnection({
      ...options,
      onMessage: () => this.#heard(),
      onUpdate: (update) => this.#onUpdate(update),
    });
  }

  /** Counts every sign of life. */
  get messages(): number {
    return this.#messages;
  }

  get greeting(): Greeting | null {
    return this.#greeting;
  }

  get isWorking(): boolean {
    return this.#working;
  }

  /** Errors: ATB_TOOL_START_FAILED, with the agent's own words. */
  async open(): Promise<void> {
    const { capabilities, version, cwd } = this.#options;
    try {
      this.#greeting = await this.#connection.greet(capabilities, { name: "atlasbridge", version });
      const opened = await this.#signedIn(() =>
        this.#connection.request("session/new", { cwd, mcpServers: [] }),
      );
      this.#sessionId = textOf(opened["sessionId"]);
    } catch (error) {
      throw failed(wordsOf(error), error);
    }
    if (this.#sessionId === null) throw failed("it opened no session", null);
  }

  /** One turn; resolves when it is over. Never rejects. */
  async prompt(text: string): Promise<TurnEnd> {
    invariant(this.#sessionId !== null && !this.#working, "a turn began before the last one was over");
    this.#working = true;
    this.#heard();
    const idle = new Promise<string | null>((resolve) => (this.#onIdle = resolve));
    try {
      const prompt = [{ type: "text", text }];
      const answer = await this.#connection.request("session/prompt", { sessionId: this.#sessionId, prompt });
      const isOver = (this.#greeting?.version ?? 1) < 2;
      return {
        stopReason: isOver ? textOf(answer["stopReason"]) : await this.#untilIdle(idle),
        problem: null,
      };
    } catch (error) {
      return { stopReason: null, problem: wordsOf(error) };
    } finally {
      this.#working = false;
      this.#stopWatch();
      this.#stopGrace();
    }
  }

  /** Tells the agent to stop; one that does not end its turn in time is hung. */
  cancel(): void {
    if (!this.#working) return;
    this.#connection.notify("session/cancel", { sessionId: this.#sessionId });
    this.#stopGrace();
    this.#stopGrace = this.#options.clock.after(CANCEL_WITHIN_MS, () => this.#options.onHung());
  }

  /**
   * Resolves when the agent has read all that was sent to it: it answers in order, also that it knows no such request. Rejects when
   * the connection ends first.
   */
  async ping(): Promise<void> {
    await this.#connection.request(PING, {}).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });
  }

  close(): void {
    this.#stopWatch();
    this.#stopGrace();
    this.#connection.close();
  }

  async #signedIn(open: () => Promise<Json>): Promise<Json> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
      const methods = (this.#greeting?.authMethods ?? []).map(signInOf).filter((method) => method !== null);
      const methodId = methods.length > 0 ? await this.#options.chooseSignIn(methods) : null;
      if (methodId === null) throw error;
      const method = (this.#greeting?.version ?? 1) < 2 ? "authenticate" : "auth/login";
      await this.#connection.request(method, { methodId });
      return open();
    }
  }

  #onUpdate(update: Json): void {
    const activity = this.#options.onActivity(update);
    if (activity?.kind === "turn" && !activity.running) this.#onIdle?.(activity.stopReason);
  }

  /** Version 2 acknowledges a prompt first; the connection's end is an end, too. */
  async #untilIdle(idle: Promise<string | null>): Promise<string | null> {
    const closed = this.#connection.closed.then(() => {
      throw new Error("the connection ended");
    });
    return Promise.race([idle, closed]);
  }

  #heard(): void {
    this.#messages += 1;
    this.#stopWatch();
    const { clock, silenceMs } = this.#options;
    if (this.#working) this.#stopWatch = clock.after(silenceMs, () => this.#silent());
  }

  /** A person may think as long as they like. */
  #silent(): void {
    if (!this.#working) return;
    if (this.#options.isAsking()) this.#heard();
    else this.cancel();
  }
}

function signInOf(method: Json): SignIn | null {
  const [id, name, description] = [
    method["id"] ?? method["methodId"],
    method["name"],
    method["description"],
  ].map(textOf);
  if (typeof id !== "string") return null;
  return { id, name: name ?? id, description: description ?? null };
}

/** The agent's own words; what it adds as data is often the only thing that says something. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data = error instanceof RequestError ? error.data : undefined;
  const detail = isObject(data) ? (textOf(data["details"]) ?? textOf(data["message"])) : textOf(data);
  return detail ? `${error.message}: ${detail}` : error.message;
}

function failed(problem: string, cause: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_TOOL_START_FAILED", `the agent did not start a session: ${problem}`, {
    hint: "Start it by itself once, to sign in and to see what it says.",
    cause,
  });
}
