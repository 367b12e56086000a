/** One agent with its session, permissions, files and commands, under `run --runtime acp` and under `exec`. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Clock } from "../../../model/clock.js";
import { toText, type Json } from "../../../model/data/json.js";
import { AtlasBridgeError, assertInvariant } from "../../../model/errors.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { TurnWatch } from "../../runtimes/exec/turn-watch.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import { awaitAnswer } from "../../runtimes/protocol/greeting.js";
import type { ProtocolTurn } from "../../runtimes/protocol/protocol-client.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import {
  AgentConnection,
  describeError,
  type AgentConnectionOptions,
  type Greeting,
} from "./agent-connection.js";
import { createRequestHandlers } from "./agent-requests.js";
import { ensureAskingMode, type AskingModeResult } from "./asking-mode.js";
import { createResumeRequest, readSessionSupport, WHERE_LISTED } from "./earlier-sessions.js";
import { AutoDecider, type AutoDecision, type AutoDeciderOptions } from "./permission/auto-decider.js";
import { Services, type ServicesOptions } from "./services/services.js";
import { SessionFacts } from "./session-facts.js";
import { readSignIn, type SignIn } from "./sign-in.js";

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
const NOT_FOUND = -32002;
const SILENCE_SETTING = "adapters.acp.timeout";
const PING = "_atlasbridge/ping";

export interface AcpSetup {
  readonly permissions: Pick<AutoDeciderOptions, "policy" | "record">;
  readonly services: Pick<ServicesOptions, "offers" | "offLimits" | "environment" | "sessionId" | "random">;
}

export interface AcpAgentOptions extends AcpSetup, Pick<AgentConnectionOptions, "input" | "output"> {
  readonly clock: Clock;
  readonly cwd: string;
  readonly version: string;
  /** ms without a message, while the agent waits for neither an answer nor a command, after which a turn is cancelled. */
  readonly silenceMs: number;
  readonly resume: string | null;
  readonly pendingRequests: PendingRequests;
  /** The modes in which it asks; null: it asks in every mode. */
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
  readonly onDecided: (line: string, allowed: boolean) => void;
  readonly onServed: ServicesOptions["onShown"];
  /** `isReplayed`: the activity belongs to an earlier session that is being loaded. */
  readonly onActivity: (activity: Activity, isReplayed: boolean) => void;
  /** Called once before the session is open; may throw to refuse the mode. */
  readonly onMode: (mode: AskingModeResult) => void;
  readonly chooseSignIn: (methods: readonly SignIn[]) => Promise<string | null>;
  readonly onHung: () => void;
}

export class AcpAgent {
  readonly facts = new SessionFacts();
  readonly #options: AcpAgentOptions;
  readonly #connection: AgentConnection;
  readonly #decider: AutoDecider;
  readonly #services: Services;
  readonly #watch: TurnWatch;
  #greeting: Greeting | null = null;
  #sessionId: string | null = null;
  #messages = 0;
  #onIdle: ((stopReason: string | null) => void) | null = null;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
    const { cwd, clock, pendingRequests, requests } = options;
    const decider = new AutoDecider({ ...options.permissions, clock, onAnswered: options.onDecided });
    this.#decider = decider;
    this.#services = new Services({
      ...options.services,
      cwd,
      clock,
      onShown: options.onServed,
      onChange: (service, content) => decider.noteHistory(service, content),
    });
    this.#watch = new TurnWatch({
      ...options,
      setting: SILENCE_SETTING,
      isAsking: () => pendingRequests.isAsking || this.#services.isWaitedFor,
      cancel: () => this.#connection.notify("session/cancel", { sessionId: this.#sessionId }),
    });
    this.#connection = new AgentConnection({
      ...options,
      handlers: createRequestHandlers({
        cwd,
        pendingRequests,
        requests,
        calls: this.facts.calls,
        autoDecide: (request, isChanged) => decider.answer(request, cwd, isChanged),
        services: this.#services.handlers,
      }),
      onMessage: () => {
        this.#messages += 1;
        this.#watch.noteSignOfLife();
      },
      onUpdate: (update) => this.#onUpdate(update),
    });
  }

  /** The permissions that the mode has answered, oldest first. */
  get history(): readonly AutoDecision[] {
    return this.#decider.history;
  }

  get greeting(): Greeting | null {
    return this.#greeting;
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
    const { version, resume } = this.#options;
    try {
      const us = { name: "atlasbridge", version };
      this.#greeting = await this.#awaitAnswer(
        this.#connection.greet({ ...ANSWERS, ...this.#services.capabilities }, us),
      );
      const { method, params } = this.#createOpeningRequest(this.#greeting);
      const opened = await this.#openSignedIn(() =>
        this.#awaitAnswer(this.#connection.request(method, params)),
      );
      this.#sessionId = resume ?? toText(opened["sessionId"]);
      if (this.#sessionId !== null) await this.#ensureMode(opened);
    } catch (error) {
      throw resume === null || !this.#greeting
        ? createStartError(describeError(error), error)
        : createResumeError(resume, error);
    }
    if (this.#sessionId === null) throw createStartError("it opened no session", null);
    // Messages of a loaded session are not part of the first turn.
    this.facts.startTurn();
  }

  async #ensureMode(opened: Json): Promise<void> {
    const { asking, clock, onMode } = this.#options;
    const { settings } = this.facts;
    settings.noteOptions(opened);
    onMode(await ensureAskingMode({ asking, clock, settings, session: this }));
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
    this.facts.startTurn();
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
    this.#services.close();
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
    const activity = this.facts.take(update);
    if (activity) this.#options.onActivity(activity, this.#sessionId === null);
    if (activity?.kind === "turn" && !activity.running) this.#onIdle?.(activity.stopReason);
  }

  /** Version 2 acknowledges a prompt first and reports later that it is idle. */
  async #awaitIdle(idle: Promise<string | null>): Promise<string | null> {
    const closed = this.#connection.closed.then(() => {
      throw new Error("the connection ended");
    });
    return Promise.race([idle, closed]);
  }
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
