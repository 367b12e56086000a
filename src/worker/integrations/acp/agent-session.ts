/** One session with an agent: greeting, sign-in, and turns. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Clock } from "../../../model/clock.js";
import { AtlasBridgeError, assertInvariant } from "../../../model/errors.js";
import { toText, type Json } from "../../../model/data/json.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import { awaitAnswer } from "../../runtimes/protocol/greeting.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import type { ProtocolTurn } from "../../runtimes/protocol/protocol-client.js";
import { readSessionSupport, createResumeRequest, WHERE_LISTED } from "./earlier-sessions.js";
import { TurnWatch } from "../../runtimes/exec/turn-watch.js";
import {
  AgentConnection,
  describeError,
  type AgentConnectionOptions,
  type Greeting,
} from "./agent-connection.js";

const ANSWERS = {
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {} },
};
/** Time for the agent to save its session before it is ended. */
const CLOSE_WITHIN_MS = 1000;
/** JSON-RPC error: the user has to sign in first. */
const AUTH_REQUIRED = -32000;
/** JSON-RPC errors that do not mean that the session is missing. */
const OTHER_TROUBLE: readonly number[] = [AUTH_REQUIRED, -32601];
/** JSON-RPC error: there is no such session. */
const NOT_FOUND = -32002;
const SILENCE_SETTING = "adapters.acp.timeout";
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
  readonly capabilities: Json;
  /** ms without a message, while the agent waits for neither an answer nor a command, after which a turn is cancelled. */
  readonly silenceMs: number;
  /** The agent waits for an answer, or for a command that we run for it. */
  readonly isKeptWaiting: () => boolean;
  /** The session to resume; null starts a new one. */
  readonly resume: string | null;
  /** The session is open once this resolves. `answer`: modes and options. */
  readonly onOpened: (answer: Json, session: AgentSession) => Promise<void>;
  /** `isReplayed`: it belongs to an earlier session that is being loaded. */
  readonly onActivity: (update: Json, isReplayed: boolean) => Activity | null;
  /** Resolves to the sign-in method that a person chose, or null. */
  readonly chooseSignIn: (methods: readonly SignIn[]) => Promise<string | null>;
  readonly onHung: () => void;
}

export class AgentSession {
  readonly #options: AgentSessionOptions;
  readonly #connection: AgentConnection;
  #greeting: Greeting | null = null;
  #sessionId: string | null = null;
  #messages = 0;
  readonly #watch: TurnWatch;
  #onIdle: ((stopReason: string | null) => void) | null = null;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.#watch = new TurnWatch({
      ...options,
      setting: SILENCE_SETTING,
      isAsking: options.isKeptWaiting,
      cancel: () => this.#connection.notify("session/cancel", { sessionId: this.#sessionId }),
    });
    this.#connection = new AgentConnection({
      ...options,
      onMessage: () => this.#noteMessage(),
      onUpdate: (update) => this.#onUpdate(update),
    });
  }

  get greeting(): Greeting | null {
    return this.#greeting;
  }

  get id(): string | null {
    return this.#sessionId;
  }

  /** Null where the agent cannot resume the session, or people cannot type its id. */
  get resumableId(): string | null {
    const [greeting, id] = [this.#greeting, this.#sessionId];
    if (!greeting || id === null || readSessionSupport(greeting).resumeMethod === null) return null;
    return isSessionName(id) ? id : null;
  }

  get version(): number {
    return this.#greeting?.version ?? 1;
  }

  get isWorking(): boolean {
    return this.#watch.isWorking;
  }

  /** Errors: ATB_TOOL_START_FAILED, with the agent's own error, or when it does not answer. Signing in has no time limit. */
  async open(): Promise<void> {
    const { capabilities, version, resume } = this.#options;
    try {
      const us = { name: "atlasbridge", version };
      this.#greeting = await this.#awaitAnswer(this.#connection.greet({ ...ANSWERS, ...capabilities }, us));
      const { method, params } = this.#createOpeningRequest(this.#greeting);
      const opened = await this.#openSignedIn(() =>
        this.#awaitAnswer(this.#connection.request(method, params)),
      );
      this.#sessionId = resume ?? toText(opened["sessionId"]);
      if (this.#sessionId !== null) await this.#options.onOpened(opened, this);
    } catch (error) {
      throw resume === null || !this.#greeting
        ? createStartError(describeError(error), error)
        : createResumeError(resume, error);
    }
    if (this.#sessionId === null) throw createStartError("it opened no session", null);
  }

  #awaitAnswer<T>(response: Promise<T>): Promise<T> {
    return awaitAnswer(response, () => this.#messages, this.#options.clock);
  }

  #createOpeningRequest(greeting: Greeting): { readonly method: string; readonly params: Json } {
    const { cwd, resume } = this.#options;
    if (resume !== null) return createResumeRequest(greeting, resume, cwd);
    return { method: "session/new", params: { cwd, mcpServers: [] } };
  }

  ask(method: string, params: Json): Promise<Json> {
    return this.#connection.request(method, { sessionId: this.#sessionId, ...params });
  }

  async prompt(text: string): Promise<ProtocolTurn> {
    assertInvariant(this.#sessionId !== null && !this.isWorking, "a turn began before the last one was over");
    this.#watch.begin();
    const idle = new Promise<string | null>((resolve) => (this.#onIdle = resolve));
    return this.#watch.end(await this.#runTurn(text, idle));
  }

  /** A turn that was cancelled here counts as cancelled, whatever the agent says. */
  async #runTurn(text: string, idle: Promise<string | null>): Promise<ProtocolTurn> {
    try {
      const prompt = [{ type: "text", text }];
      const answer = await this.#connection.request("session/prompt", { sessionId: this.#sessionId, prompt });
      const stopReason = this.version < 2 ? toText(answer["stopReason"]) : await this.#awaitIdle(idle);
      return { stopReason: this.#watch.isCancelled ? "cancelled" : stopReason, problem: null };
    } catch (error) {
      return { stopReason: null, problem: describeError(error) };
    }
  }

  cancel(): void {
    this.#watch.cancel();
  }

  /** Resolves once the agent has read everything before; it need not know this request. Rejects when the connection ends. */
  async ping(): Promise<void> {
    await this.#connection.request(PING, {}).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });
  }

  /** Never rejects. */
  async closeSession(): Promise<void> {
    if (!this.#greeting || this.#sessionId === null || this.isWorking) return;
    if (!readSessionSupport(this.#greeting).close) return;
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const stopTimer = clock.after(CLOSE_WITHIN_MS, resolve);
      const done = (): void => {
        stopTimer();
        resolve();
      };
      this.ask("session/close", {}).then(done, done);
    });
  }

  close(): void {
    this.#watch.stop();
    this.#connection.close();
  }

  async #openSignedIn(open: () => Promise<Json>): Promise<Json> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
      const methods = (this.#greeting?.authMethods ?? []).map(readSignIn).filter((method) => method !== null);
      const methodId = methods.length > 0 ? await this.#options.chooseSignIn(methods) : null;
      if (methodId === null) throw error;
      const method = this.version < 2 ? "authenticate" : "auth/login";
      await this.#connection.request(method, { methodId });
      return open();
    }
  }

  #onUpdate(update: Json): void {
    const activity = this.#options.onActivity(update, this.#sessionId === null);
    if (activity?.kind === "turn" && !activity.running) this.#onIdle?.(activity.stopReason);
  }

  /** Version 2 acknowledges a prompt first and reports later that it is idle. */
  async #awaitIdle(idle: Promise<string | null>): Promise<string | null> {
    const closed = this.#connection.closed.then(() => {
      throw new Error("the connection ended");
    });
    return Promise.race([idle, closed]);
  }

  #noteMessage(): void {
    this.#messages += 1;
    this.#watch.noteSignOfLife();
  }
}

function readSignIn(method: Json): SignIn | null {
  const [id, name, description] = [
    method["id"] ?? method["methodId"],
    method["name"],
    method["description"],
  ].map(toText);
  if (typeof id !== "string") return null;
  return { id, name: name ?? id, description: description ?? null };
}

function createResumeError(session: string, error: unknown): AtlasBridgeError {
  if (!(error instanceof RequestError) || OTHER_TROUBLE.includes(error.code))
    return createStartError(describeError(error), error);
  const problem =
    error.code === NOT_FOUND
      ? `the agent has no session "${session}"`
      : `the agent did not resume session "${session}": ${describeError(error)}`;
  return new AtlasBridgeError("ATB_TOOL_START_FAILED", problem, { hint: WHERE_LISTED, cause: error });
}

function createStartError(problem: string, cause: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_TOOL_START_FAILED", `the agent did not start a session: ${problem}`, {
    hint: "Start it by itself once, to sign in and to see what it says.",
    cause,
  });
}
