/**
 * The `mcp` runtime: a tool starts us as its MCP server, to ask people through us (ADR 21). A question arrives as a tool call, and its
 * answer is the call's result.
 */
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../model/clock.js";
import { invariant } from "../../../model/errors.js";
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
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { EventQueue } from "../../prompts/event-queue.js";
import { confirmDelivery } from "../../prompts/confirm-delivery.js";
import { OutputStream } from "../../runtimes/output-stream.js";
import { PendingRequests } from "../../prompts/pending-requests.js";
import { promptSnapshot } from "../../prompts/prompt-snapshot.js";
import { questionStamper } from "../../prompts/stamp-question.js";
import { CallAllowance, NOTICES_MAX, OPEN_MAX, PERMISSIONS_MAX, QUESTIONS_MAX } from "./allowances.js";
import { createAskHumanRequest } from "./ask-human.js";
import { denyResult } from "../../prompts/permission-request.js";
import { createPermissionPromptRequest } from "./permission-prompt.js";
import { ToolProblem, ToolServer, type ToolHandlers } from "./tool-server.js";
import type { AskArguments, PermissionArguments, NotifyArguments } from "./tools.js";
import { AnswerWait, type NoAnswer } from "./answer-wait.js";

export interface McpAdapterOptions {
  readonly sessionId: SessionId;
  readonly input: Readable;
  readonly output: Writable;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  /** Takes secrets out of text that leaves this machine. */
  readonly redact: (text: string) => string;
  /** Of this program, told to the client. */
  readonly version: string;
  /** ms after which a question expires where the tool gives no timeout; 0: never. */
  readonly expiresAfterMs: number;
  /** Connects to the people; called once, with the client's name, at the client's first call. */
  readonly reach: (client: string) => Promise<McpReach>;
}

/** The way to people, as far as this runtime sees it. */
export interface McpReach {
  /** What the tool is called. */
  readonly tool: string;
  /** What is known of its calls. */
  readonly rules: CallRules | null;
  /** Why nobody can be reached now; null while somebody can, or while that is not known yet. */
  readonly problem: string | null;
  /** Resolves to how many chats it goes to that take messages. Rejects where it cannot be told. */
  tell(message: string): Promise<number>;
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
  #waiting = 0;
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
    const handlers: ToolHandlers = {
      ask: (asked, signal) => this.#admitted(this.#questions, problem, () => this.#ask(asked, signal)),
      tell: (told) => this.#tell(told),
      permit: (asked, signal) =>
        this.#admitted(this.#permissions, denyResult, () => this.#permit(asked, signal)),
    };
    this.#server = new ToolServer({ input, output, clock, version, handlers });
    this.#pendingRequests = new PendingRequests({
      stamp: questionStamper(options),
      onRaised: (event) => this.#events.push({ kind: "raised", event }),
      onWithdrawn: ({ promptId }, reason) => this.#events.push({ kind: "withdrawn", promptId, reason }),
      onAnswered: () => this.#reportState(),
      isAttended: true,
      onRefused: () => undefined,
      confirmDelivery: () =>
        confirmDelivery({ messages: 0, ping: () => this.#server.ping() }, this.#server.closed, options.clock),
      withdrawReasonFor: (reason) => (isWithdrawReason(reason) ? reason : "taken_back"),
    });
  }

  /** Serves whoever started us; there is no command. */
  async startSession(): Promise<SessionId> {
    this.#startedAt = this.#options.clock.monotonic();
    await this.#server.serve();
    this.#reportState();
    void this.closed.then(() => this.#onClosed());
    return this.#options.sessionId;
  }

  /** Resolves when the client is gone. */
  get closed(): Promise<void> {
    return this.#server.closed;
  }

  /** There is no output: the stream only ends. */
  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return this.#pendingRequests.answer(reply, gate);
  }

  /** Only ends the server: the tool runs on. */
  async terminateSession(sessionId: SessionId): Promise<void> {
    invariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    await this.#server.close();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId } = this.#options;
    const client = { pid: process.ppid, alive: this.#state !== "starting" && this.#state !== "ended" };
    const sinceStart = (clock.monotonic() - this.#startedAt) / 1000;
    return Promise.resolve({
      sessionId,
      tool: this.#tool,
      ...promptSnapshot(this.#pendingRequests, client),
      uptimeSeconds: sinceStart,
      lastOutputAgoSeconds: sinceStart,
      toolState: this.#state,
    });
  }

  /** Checked first, so that a call above the limits neither starts a hub nor reaches anybody. */
  async #admitted(
    allowance: CallAllowance,
    refuse: (message: string) => RequestResult,
    ask: () => Promise<RequestResult>,
  ): Promise<RequestResult> {
    if (this.#waiting >= OPEN_MAX)
      return refuse(`${OPEN_MAX} questions already wait for an answer; this one was not asked`);
    if (!allowance.take())
      return refuse(`the limit is ${allowance.max} questions in ten minutes; this one was not asked`);
    this.#waiting += 1;
    try {
      return await ask();
    } finally {
      this.#waiting -= 1;
    }
  }

  async #ask(asked: AskArguments, signal: AbortSignal): Promise<RequestResult> {
    const reach = await this.#reached();
    const { timeout_seconds: seconds } = asked;
    const limitMs = seconds === undefined ? this.#options.expiresAfterMs : seconds * 1000;
    const answer = await this.#answered(createAskHumanRequest(asked), { reach, signal, limitMs });
    if (answer.kind === "answered") return answer.result;
    if (answer.why === "unreachable") return { status: "unreachable", reason: answer.problem };
    if (answer.why === "taken_back") throw new ToolProblem(TAKEN_BACK);
    return { status: "timed_out" };
  }

  async #permit(asked: PermissionArguments, signal: AbortSignal): Promise<RequestResult> {
    const reach = await this.#reached();
    const asking = createPermissionPromptRequest(asked, reach.rules, this.#options.cwd);
    if (!asking) return denyResult("AtlasBridge cannot show this call, so nobody could judge it.");
    const limitMs = this.#options.expiresAfterMs;
    const answer = await this.#answered(asking, { reach, signal, limitMs });
    if (answer.kind === "answered") return answer.result;
    if (answer.why === "unreachable") return denyResult(answer.problem);
    return denyResult(answer.why === "taken_back" ? TAKEN_BACK : "Nobody answered in time.");
  }

  async #tell({ message }: NotifyArguments): Promise<RequestResult> {
    if (!this.#notices.take())
      throw new ToolProblem(`the limit is ${NOTICES_MAX} messages in ten minutes; this one was not sent`);
    const reach = await this.#reached();
    try {
      return { places: await reach.tell(message) };
    } catch (error) {
      throw new ToolProblem(reach.problem ?? (error instanceof Error ? error.message : String(error)));
    }
  }

  async #answered(
    asking: PendingRequest,
    limits: { readonly reach: McpReach; readonly signal: AbortSignal; readonly limitMs: number },
  ): Promise<{ readonly kind: "answered"; readonly result: RequestResult } | NoAnswer> {
    const isClientGone = (): boolean => this.#server.isClosing;
    const waiting = new AnswerWait({ ...limits, isClientGone, clock: this.#options.clock });
    const answerBy = limits.limitMs === 0 ? null : this.#options.clock.now() + limits.limitMs;
    const asked = this.#pendingRequests.open(withTimeLimit(asking, answerBy), waiting.signal);
    this.#reportState();
    try {
      const result = await asked;
      return result === asking.cancelled ? waiting.gone : { kind: "answered", result };
    } finally {
      waiting.stop();
      this.#reportState();
    }
  }

  #reached(): Promise<McpReach> {
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

const TAKEN_BACK = "The question was withdrawn before anybody answered.";

/** Shows people until when an answer is waited for. */
function withTimeLimit(asking: PendingRequest, answerBy: number | null): PendingRequest {
  if (answerBy === null) return asking;
  const { question } = asking;
  return { ...asking, question: { ...question, constraints: { ...question.constraints, answerBy } } };
}

function problem(message: string): never {
  throw new ToolProblem(message);
}
