/** The `acp` runtime: an agent that is spoken to in the Agent Client Protocol, over its pipes (ADR 16). */
import type { SessionSnapshot } from "../../../sdk/adapter.js";
import type { Json } from "../../../model/data/json.js";
import type { PipedProcess } from "../../process/piped-process.js";
import type { TerminalExit } from "../../process/terminal.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import type { ProtocolTurn } from "../../runtimes/protocol/protocol-client.js";
import { ProtocolAdapter } from "../../runtimes/protocol/protocol-adapter.js";
import type { AcpAdapterOptions } from "./acp-adapter-options.js";
import { ensureAskingMode, describeSilentMode } from "./asking-mode.js";
import { createRequestHandlers, toWithdrawReason } from "./agent-requests.js";
import { AgentSession } from "./agent-session.js";
import { LineCommands } from "./line-commands.js";
import { Services } from "./services/services.js";
import { SessionFacts } from "./session-facts.js";
import { chooseSignIn } from "./sign-in.js";
import { AutoDecider } from "./permission/auto-decided.js";

export class AcpAdapter extends ProtocolAdapter<AcpAdapterOptions, AgentSession, ProtocolTurn> {
  /** What the person at the terminal may ask of us beside the agent. */
  readonly commands: LineCommands;
  readonly #facts = new SessionFacts();
  readonly #autoDecider: AutoDecider;
  readonly #services: Services;
  #isOpen = false;

  constructor(options: AcpAdapterOptions) {
    super(options, toWithdrawReason);
    const show = (line: string): void => this.transcript.showLine(line);
    this.commands = new LineCommands({ ...options, facts: this.#facts, session: () => this.client, show });
    this.#autoDecider = new AutoDecider({
      ...options.permissions,
      clock: options.clock,
      onAnswered: (line) => this.transcript.showLine(line),
    });
    this.#services = new Services({
      ...options,
      ...options.services,
      onShown: (line, more) => this.transcript.showService(line, more),
      onChange: (service, content) => this.#autoDecider.noteHistory(service, content),
    });
  }

  /** One task; resolves when the agent has ended its turn. Only when it is `ready` and no other turn is under way. */
  prompt(text: string): Promise<ProtocolTurn> {
    this.#facts.startTurn();
    return this.runTurn(text);
  }

  /** A line of ours for the person at the terminal. */
  note(line: string): void {
    this.transcript.showLine(line);
  }

  override async snapshotContext(): Promise<SessionSnapshot> {
    const { usage } = this.#facts;
    return { ...(await super.snapshotContext()), answeredUnasked: this.#autoDecider.history, usage };
  }

  protected createClient({ input, output }: PipedProcess): AgentSession {
    const { clock, cwd, version, silenceMs, resume, requests } = this.options;
    return new AgentSession({
      input,
      output,
      clock,
      cwd,
      version,
      silenceMs,
      resume,
      capabilities: this.#services.capabilities,
      onOpened: (answer) => this.#onSession(answer),
      handlers: createRequestHandlers({
        cwd,
        pendingRequests: this.pendingRequests,
        requests,
        calls: this.#facts.calls,
        autoDecide: (request, isChanged) => this.#autoDecider.answer(request, cwd, isChanged),
        services: this.#services.handlers,
      }),
      isKeptWaiting: () => this.pendingRequests.isAsking || this.#services.isWaitedFor,
      onActivity: (update) => this.#onUpdate(update),
      chooseSignIn: (methods) => chooseSignIn(this.pendingRequests, methods),
      onHung: () => void this.terminateSession(this.options.sessionId),
    });
  }

  protected get lastMessage(): string | null {
    return this.#facts.lastMessage;
  }

  /** Messages replayed from an earlier session are no answer of this one. */
  protected override onOpened(): void {
    this.#isOpen = true;
    this.#facts.startTurn();
    this.transcript.endText();
  }

  protected override onEnded(exit: TerminalExit): void {
    super.onEnded(exit);
    this.#services.close();
  }

  get #silence(): string | null {
    return describeSilentMode(this.options.asking, this.#facts.settings);
  }

  /** An agent that is talked to asks: whatever else its own default is, and not behind anybody's back. */
  async #onSession(answer: Json): Promise<void> {
    const { client } = this;
    const { settings } = this.#facts;
    settings.noteOptions(answer);
    if (!client) return;
    const { switchedTo, silence } = await ensureAskingMode({ ...this.options, settings, session: client });
    if (switchedTo !== null) this.transcript.showLine(switchedTo);
    if (silence !== null) this.transcript.showLine(silence);
  }

  #onUpdate(update: Json): Activity | null {
    const activity = this.#facts.take(update);
    // A person sees what they have typed; it is news only when an earlier session is told again.
    const isOwn = activity?.kind === "said" && activity.by === "user" && (this.client?.id ?? null) !== null;
    if (activity && !isOwn) this.transcript.showActivity(activity);
    // While it is opened, it may be about to be changed.
    const silence = activity?.kind === "setting" && this.#isOpen ? this.#silence : null;
    if (silence !== null) this.transcript.showLine(silence);
    return activity;
  }
}
