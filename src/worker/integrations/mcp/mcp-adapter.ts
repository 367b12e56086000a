/** The `mcp` runtime: a tool starts us as its MCP server (ADR 21). A question is a tool call, and its answer the result. */
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../model/clock.js";
import type { TypingPrompt } from "../../../model/console-call.js";
import { assertInvariant, toMessage } from "../../../model/errors.js";
import type { Fingerprint, PromptId, SessionId } from "../../../model/ids.js";
import type { Reply } from "../../../model/answer/reply.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Random } from "../../../observe/random.js";
import {
  isWithdrawReason,
  type Adapter,
  type AdapterEvent,
  type InjectionGate,
  type InjectionResult,
  type SessionCapabilities,
  type SessionSnapshot,
  type ReaskResult,
} from "../../../sdk/adapter.js";
import type { CallRules } from "../../prompts/tool-call-request.js";
import { withDeadline, type PendingRequest, type RequestResult } from "../../prompts/pending-request.js";
import { EventQueue } from "../../../observe/event-queue.js";
import { confirmDelivery } from "../../prompts/confirm-delivery.js";
import { OutputStream } from "../../runtimes/output-stream.js";
import { PendingRequests } from "../../prompts/pending-requests.js";
import { createPromptSnapshot } from "../../prompts/prompt-snapshot.js";
import { createPromptStamper } from "../../prompts/stamp-prompt.js";
import {
  CallAllowance,
  NOTICES_MAX,
  OPEN_MAX,
  PERMISSIONS_MAX,
  QUESTIONS_MAX,
  STARTS_MAX,
} from "./allowances.js";
import { createAskHumanRequest } from "./ask-human.js";
import { createDenyResult, createUnshowableResult } from "../../prompts/permission-request.js";
import { createPermissionPromptRequest, createTypingRequest } from "./permission-prompt.js";
import { ToolProblem, ToolServer, type ToolHandlers } from "./tool-server.js";
import type { AskArguments, PermissionArguments, NotifyArguments } from "./tools.js";
import { ConsoleTools, type AgentConsoles } from "./console-tools.js";
import { toText } from "../../../model/data/json.js";
import { AnswerWait, describeNoLeave, TAKEN_BACK } from "./answer-wait.js";
import type { AnswerLimits, NoAnswer } from "./answer-wait.js";

export interface McpAdapterOptions {
  readonly sessionId: SessionId;
  readonly input: Readable;
  readonly output: Writable;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  /** Redacts secrets in text that leaves this machine. */
  readonly safeText: (text: string) => string;
  readonly version: string;
  /** Used where the tool gives no timeout; 0: no limit. */
  readonly expiresAfterMs: number;
  /** Called once, with the client's name, at its first call. */
  readonly reach: (client: string) => Promise<McpReach>;
}

export interface McpReach {
  readonly tool: string;
  readonly rules: CallRules | null;
  /** Null while people can be reached, or it is not known yet. */
  readonly problem: string | null;
  readonly consoles: AgentConsoles;
  /** Resolves to the number of chats that accept messages. */
  notify(message: string): Promise<number>;
}

export class McpAdapter implements Adapter {
  readonly capabilities: SessionCapabilities = {
    chatTurns: false,
    screenView: false,
    underTool: true,
  };
  readonly remoteControls = {
    screen: () => ({ text: null, problem: "this session has no screen" }),
    interrupt: () => "this session only asks questions; it cannot interrupt the tool",
    askAgain: (promptId: PromptId, fingerprint: Fingerprint): ReaskResult =>
      this.#pendingRequests.askAgain(promptId, fingerprint),
  };
  readonly #options: McpAdapterOptions;
  readonly #events = new EventQueue<AdapterEvent>();
  readonly #output = new OutputStream(() => undefined);
  readonly #pendingRequests: PendingRequests;
  readonly #server: ToolServer;
  readonly #notices: CallAllowance;
  readonly #questions: CallAllowance;
  readonly #permissions: CallAllowance;
  #openCalls = 0;
  #lastRaised = "";
  #reach: Promise<McpReach> | null = null;
  #tool = "";
  #state: ToolState = "starting";
  #startedAt = 0;

  constructor(options: McpAdapterOptions) {
    this.#options = options;
    const { input, output, clock, version } = options;
    this.#notices = new CallAllowance(clock, NOTICES_MAX);
    this.#questions = new CallAllowance(clock, QUESTIONS_MAX);
    this.#permissions = new CallAllowance(clock, PERMISSIONS_MAX);
    const starts = new CallAllowance(clock, STARTS_MAX);
    const consoleTools = new ConsoleTools({
      consoles: async () => (await this.#connect()).consoles,
      permit: (asked, signal) =>
        this.#admit(this.#permissions, refuseWithError, () => this.#permitConsole(asked, signal)),
      countStart: () => {
        if (!starts.take()) refuseWithError(`${starts.describe("sessions")}; this one was not started`);
      },
    });
    const handlers: ToolHandlers = {
      ask: (asked, signal) => this.#admit(this.#questions, refuseWithError, () => this.#ask(asked, signal)),
      notify: (told) => this.#tell(told),
      permit: (asked, signal) =>
        this.#admit(this.#permissions, createDenyResult, () => this.#permit(asked, signal)),
      console: (name, given, signal) => consoleTools.call(name, given, signal),
    };
    this.#server = new ToolServer({ input, output, clock, version, handlers });
    this.#pendingRequests = new PendingRequests({
      stamp: createPromptStamper(options),
      onRaised: (event) => {
        this.#lastRaised = event.promptId;
        this.#events.push({ kind: "raised", event });
      },
      onWithdrawn: ({ promptId }, reason) => this.#events.push({ kind: "withdrawn", promptId, reason }),
      onAnswered: () => this.#reportState(),
      isAttended: true,
      onRefused: () => undefined,
      confirmDelivery: () =>
        confirmDelivery({ ping: () => this.#server.ping() }, this.#server.closed, options.clock),
      withdrawReasonFor: (reason) => (isWithdrawReason(reason) ? reason : "taken_back"),
    });
  }

  async startSession(): Promise<SessionId> {
    this.#startedAt = this.#options.clock.monotonic();
    await this.#server.serve();
    this.#reportState();
    void this.closed.then(() => this.#onClosed());
    return this.#options.sessionId;
  }

  get closed(): Promise<void> {
    return this.#server.closed;
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return this.#pendingRequests.answer(reply, gate, halt);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    assertInvariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    await this.#server.close();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId } = this.#options;
    const client = { pid: process.ppid, alive: this.#state !== "starting" && this.#state !== "ended" };
    const sinceStart = (clock.monotonic() - this.#startedAt) / 1000;
    return Promise.resolve({
      sessionId,
      tool: this.#tool,
      ...createPromptSnapshot(this.#pendingRequests, client),
      uptimeSeconds: sinceStart,
      lastOutputAgoSeconds: sinceStart,
      toolState: this.#state,
    });
  }

  /** Checked first: a call above the limits must not start a hub. */
  async #admit<R>(
    allowance: CallAllowance,
    refuse: (message: string) => R,
    ask: () => Promise<R>,
  ): Promise<R> {
    if (this.#openCalls >= OPEN_MAX)
      return refuse(`${OPEN_MAX} questions already wait for an answer; this one was not asked`);
    if (!allowance.take()) return refuse(`${allowance.describe("questions")}; this one was not asked`);
    this.#openCalls += 1;
    try {
      return await ask();
    } finally {
      this.#openCalls -= 1;
    }
  }

  async #ask(args: AskArguments, signal: AbortSignal): Promise<RequestResult> {
    const reach = await this.#connect();
    const { timeout_seconds: seconds } = args;
    const limitMs = seconds === undefined ? this.#options.expiresAfterMs : seconds * 1000;
    const limits = { reach, signal, limitMs, ifLate: "timed_out" } as const;
    const answer = await this.#awaitAnswer(createAskHumanRequest(args), limits);
    if (answer.kind === "answered") return answer.result;
    if (answer.why === "unreachable") return { status: "unreachable", reason: answer.problem };
    if (answer.why === "taken_back") throw new ToolProblem(TAKEN_BACK);
    return { status: "timed_out" };
  }

  async #permit(args: PermissionArguments, signal: AbortSignal): Promise<RequestResult> {
    const reach = await this.#connect();
    const request = createPermissionPromptRequest(args, reach.rules, this.#options.cwd);
    if (!request) return createUnshowableResult();
    const limitMs = this.#options.expiresAfterMs;
    const answer = await this.#awaitAnswer(request, { reach, signal, limitMs, ifLate: "refused_late" });
    if (answer.kind === "answered") return answer.result;
    if (answer.why === "unreachable") return createDenyResult(answer.problem);
    return createDenyResult(answer.why === "taken_back" ? TAKEN_BACK : "Nobody answered in time.");
  }

  /** Resolves with the id of the allowed prompt. */
  async #permitConsole(asked: TypingPrompt | PermissionArguments, signal: AbortSignal): Promise<string> {
    const reach = await this.#connect();
    const asking =
      "question" in asked
        ? createTypingRequest(asked)
        : createPermissionPromptRequest(asked, null, this.#options.cwd);
    if (!asking) throw new ToolProblem("AtlasBridge cannot show this, so nobody could judge it");
    const limitMs = this.#options.expiresAfterMs;
    const waiting = this.#awaitAnswer(asking, { reach, signal, limitMs, ifLate: "refused_late" });
    const promptId = this.#lastRaised;
    const answer = await waiting;
    if (answer.kind !== "answered") throw new ToolProblem(describeNoLeave(answer));
    const { behavior, message } = answer.result;
    if (behavior !== "allow") throw new ToolProblem(`not allowed: ${toText(message) ?? "denied"}`);
    return promptId;
  }

  async #tell({ message }: NotifyArguments): Promise<RequestResult> {
    if (!this.#notices.take())
      throw new ToolProblem(`${this.#notices.describe("messages")}; this one was not sent`);
    const reach = await this.#connect();
    try {
      return { places: await reach.notify(message) };
    } catch (error) {
      throw new ToolProblem(reach.problem ?? toMessage(error));
    }
  }

  async #awaitAnswer(
    request: PendingRequest,
    limits: AnswerLimits,
  ): Promise<{ readonly kind: "answered"; readonly result: RequestResult } | NoAnswer> {
    const isClientGone = (): boolean => this.#server.isClosing;
    const wait = new AnswerWait({ ...limits, isClientGone, clock: this.#options.clock });
    const { limitMs, ifLate } = limits;
    const answerBy = this.#options.clock.now() + limitMs;
    const asked = limitMs === 0 ? request : withDeadline(request, answerBy, ifLate === "refused_late");
    const pendingResult = this.#pendingRequests.open(asked, wait.signal);
    this.#reportState();
    try {
      const result = await pendingResult;
      return result === request.cancelled ? wait.gone : { kind: "answered", result };
    } finally {
      wait.stop();
      this.#reportState();
    }
  }

  #connect(): Promise<McpReach> {
    this.#reach ??= this.#options.reach(this.#server.client ?? "").then((reach) => {
      this.#tool = reach.tool;
      return reach;
    });
    return this.#reach;
  }

  #onClosed(): void {
    this.#pendingRequests.withdrawAll("session_ended");
    this.#setState("ended");
    this.#events.end();
    this.#output.end();
  }

  #reportState(): void {
    if (this.#state !== "ended") this.#setState(this.#pendingRequests.isAsking ? "waiting" : "working");
  }

  #setState(state: ToolState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#events.push({ kind: "state", state });
  }
}

function refuseWithError(message: string): never {
  throw new ToolProblem(message);
}
