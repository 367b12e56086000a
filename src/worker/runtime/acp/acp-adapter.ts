/** The `acp` runtime: an agent that is spoken to in the Agent Client Protocol, over its pipes (design §2). */
import { invariant } from "../../../model/errors.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/rejection.js";
import type { Reply } from "../../../model/reply.js";
import { boundedWords, type ToolState } from "../../../model/tool-state.js";
import { visible } from "../../../safety/display.js";
import type {
  Adapter,
  AdapterEvent,
  InjectionGate,
  InjectionResult,
  SessionCapabilities,
  SessionSnapshot,
} from "../../../sdk/adapter.js";
import type { Json } from "../../detect/json.js";
import { childEnvironment } from "../../transport/child-environment.js";
import { openPiped, type PipedProcess } from "../../transport/piped-process.js";
import type { TerminalExit } from "../../transport/terminal.js";
import { EventQueue } from "../event-queue.js";
import { OutputStream } from "../output-stream.js";
import type { Activity } from "./activity.js";
import { agentDesk } from "./agent-desk.js";
import { requestHandlers } from "./agent-requests.js";
import { AgentSession, type TurnEnd } from "./agent-session.js";
import type { AcpAdapterOptions } from "./acp-adapter-options.js";
import { heardBy } from "../heard-by.js";
import { LineCommands } from "./line-commands.js";
import { Onlooker } from "./onlooker.js";
import { deskSnapshot, type QuestionDesk } from "../question-desk.js";
import { Services } from "./services/services.js";
import { SessionFacts } from "./session-facts.js";
import { chosenSignIn } from "./sign-in.js";
import { Transcript } from "./transcript.js";
import { Unasked } from "./unasked.js";

/** Seed §2 `terminate_session`. */
const TERMINATE_GRACE_MS = 3000;
/** From a claimed reply to its receipt. */
const ANSWER_WITHIN_MS = 15_000;

export class AcpAdapter implements Adapter {
  readonly capabilities: SessionCapabilities = {
    answerRoutes: ["protocol"],
    freeText: true,
    chatTurns: false,
    screenView: true,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
  readonly onlooker: Onlooker;
  /** What the person at the terminal may ask of us beside the agent. */
  readonly commands: LineCommands;
  readonly #options: AcpAdapterOptions;
  readonly #events = new EventQueue<AdapterEvent>();
  readonly #output = new OutputStream((full) => this.#hold(full));
  readonly #facts = new SessionFacts();
  readonly #transcript: Transcript;
  readonly #desk: QuestionDesk;
  readonly #unasked: Unasked;
  readonly #services: Services;
  #process: PipedProcess | null = null;
  #session: AgentSession | null = null;
  #ready: Promise<void> | null = null;
  #exited: Promise<TerminalExit> | null = null;
  #onAsking: () => void = () => undefined;
  #startedAt = 0;
  #outputAt = 0;

  constructor(options: AcpAdapterOptions) {
    this.#options = options;
    this.#transcript = new Transcript({ colours: options.colours, write: (text) => this.#print(text) });
    this.#desk = agentDesk({
      session: options,
      transcript: this.#transcript,
      tell: (event) => this.#events.push(event),
      onChange: () => this.#askingChanged(),
      hearing: () =>
        this.#session ? heardBy(this.#session, this.exited, options.clock) : Promise.resolve("gone"),
    });
    const show = (line: string): void => this.#transcript.line(line, "dim");
    this.commands = new LineCommands({ ...options, facts: this.#facts, session: () => this.#session, show });
    this.#unasked = new Unasked({
      ...options.permissions,
      onAnswered: (line, allowed) => this.#transcript.line(line, allowed ? "yellow" : "red"),
    });
    this.#services = new Services({
      ...options,
      ...options.services,
      onShown: (line, more) => this.#transcript.service(line, more),
      onChange: (service, content) => this.#unasked.noted(service, content),
    });
    this.onlooker = new Onlooker({
      isAlive: () => this.#process?.alive === true,
      desk: this.#desk,
      isWorking: () => this.#session?.isWorking === true,
      cancel: () => this.cancel(),
    });
  }

  /** Starts the agent; `ready` tells when it can be talked to. */
  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    const { environment, sessionId, cwd, clock } = this.#options;
    const whole = childEnvironment({ ...environment, ...env }, sessionId);
    const agent = openPiped({ command, env: whole, cwd });
    this.#process = agent;
    this.#startedAt = this.#outputAt = clock.monotonic();
    this.#session = this.#openSession(agent);
    this.#ready = this.#session.open().then(() => {
      // What was told again of an earlier session is no answer of this one.
      this.#facts.turnBegins();
      this.#transcript.turnEnd(null);
      this.#tellState("idle");
    });
    this.#ready.catch(() => undefined);
    this.#exited = agent.exited.then((exit) => this.#onExit(exit));
    this.#tellState("starting");
    return Promise.resolve(sessionId);
  }

  /** Resolves when the agent can be given its first task. Errors: ATB_TOOL_START_FAILED. */
  get ready(): Promise<void> {
    invariant(this.#ready, "the agent was not started");
    return this.#ready;
  }

  /** How the agent ended; all that it said is read by then. */
  get exited(): Promise<TerminalExit> {
    invariant(this.#exited, "the agent was not started");
    return this.#exited;
  }

  /** The latest that the agent wrote on stderr: why it ended, if anything says so. */
  get complaint(): string {
    return visible(this.#process?.complaint ?? "").trimEnd();
  }

  /** One task; resolves when the agent has ended its turn. Only when it is `ready` and no other turn is under way. */
  async prompt(text: string): Promise<TurnEnd> {
    invariant(this.#session, "the agent was not started");
    this.#facts.turnBegins();
    const turn = this.#session.prompt(text);
    this.#tellState("working");
    const end = await turn;
    this.#desk.takeBackAll("taken_back");
    if (end.problem !== null) this.#transcript.line(`The turn failed: ${end.problem}`, "red");
    else this.#transcript.turnEnd(end.stopReason);
    if (this.#process?.alive) this.#tellState("idle");
    return end;
  }

  /** Ends the turn: every request that waits is answered with that. */
  cancel(): void {
    this.#session?.cancel();
    this.#desk.takeBackAll("taken_back");
  }

  /** The question that has waited longest, for whoever sits here. */
  get asking(): PromptEvent | null {
    return this.#desk.first;
  }

  /** Told whenever a question comes or goes. */
  onAsking(listener: () => void): void {
    this.#onAsking = listener;
  }

  /** An answer by the person who sits here. Returns why it was not taken, or null. */
  answerHere(promptId: PromptId, value: string): Rejection | null {
    return this.#desk.answerHere(promptId, value);
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  /** What an agent asks is a request of the protocol: nothing in its text is ever a question to answer. */
  detectPrompt(): Promise<null> {
    return Promise.resolve(null);
  }

  awaitInputState(): Promise<boolean> {
    return Promise.resolve(this.#desk.isAsking);
  }

  injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return this.#desk.put(reply, gate);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    invariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    const agent = this.#process;
    if (!agent) return;
    this.cancel();
    await this.#session?.farewell();
    agent.kill("SIGTERM");
    const stopTimer = this.#options.clock.after(TERMINATE_GRACE_MS, () => void agent.kill("SIGKILL"));
    await this.exited;
    stopTimer();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId, tool } = this.#options;
    const now = clock.monotonic();
    const process = this.#process;
    return Promise.resolve({
      sessionId,
      tool,
      ...deskSnapshot(this.#desk, process),
      uptimeSeconds: (now - this.#startedAt) / 1000,
      lastOutputAgoSeconds: (now - this.#outputAt) / 1000,
      toolState: this.#state(),
      answeredUnasked: this.#unasked.history,
      usage: this.#facts.usage,
    });
  }

  healthcheck(): Promise<boolean> {
    return Promise.resolve(this.#process?.alive ?? false);
  }

  #openSession(agent: PipedProcess): AgentSession {
    const { clock, cwd, version, silenceMs, resume } = this.#options;
    return new AgentSession({
      input: agent.input,
      output: agent.output,
      clock,
      cwd,
      version,
      silenceMs,
      resume,
      capabilities: this.#services.capabilities,
      onOpened: (answer) => this.#facts.settings.opened(answer),
      handlers: requestHandlers({
        cwd,
        desk: this.#desk,
        call: (id) => this.#facts.call(id),
        unasked: (request) => this.#unasked.answer(request, cwd),
        services: this.#services.handlers,
      }),
      isAsking: () => this.#desk.isAsking,
      onActivity: (update) => this.#onUpdate(update),
      chooseSignIn: (methods) => chosenSignIn(this.#desk, methods),
      onHung: () => void this.terminateSession(this.#options.sessionId),
    });
  }

  #onUpdate(update: Json): Activity | null {
    const activity = this.#facts.take(update);
    // A person sees what they have typed; it is news only when an earlier session is told again.
    const isOwn = activity?.kind === "said" && activity.by === "user" && (this.#session?.id ?? null) !== null;
    if (activity && !isOwn) this.#transcript.activity(activity);
    return activity;
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.#session?.close();
    this.#services.close();
    this.#desk.takeBackAll("session_ended");
    this.#tellState("ended");
    this.#events.end();
    this.#output.end();
    return exit;
  }

  #askingChanged(): void {
    this.#tellState(this.#state());
    this.#onAsking();
  }

  #state(): ToolState {
    if (!this.#process?.alive) return "ended";
    if (this.#desk.isAsking) return "waiting";
    return this.#session?.isWorking ? "working" : "idle";
  }

  #tellState(state: ToolState): void {
    const said = state === "idle" ? this.#facts.said : null;
    const words = said === null ? {} : { said: boundedWords(this.#options.redact(said)) };
    this.#events.push({ kind: "state", state, ...words });
  }

  #print(text: string): void {
    this.#outputAt = this.#options.clock.monotonic();
    this.onlooker.shown(text);
    this.#output.push(Buffer.from(text));
  }

  /** A terminal that takes nothing makes the agent wait. */
  #hold(full: boolean): void {
    if (full) this.#process?.output.pause();
    else this.#process?.output.resume();
  }
}
