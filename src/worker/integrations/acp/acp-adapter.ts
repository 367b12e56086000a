/** The `acp` runtime: speaks with an agent in the Agent Client Protocol, over its pipes (ADR 16). */
import type { SessionSnapshot } from "../../../sdk/adapter.js";
import type { PipedProcess } from "../../process/piped-process.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import type { ProtocolAdapterOptions, ProtocolTurn } from "../../runtimes/protocol/protocol-client.js";
import { ProtocolAdapter } from "../../runtimes/protocol/protocol-adapter.js";
import { AcpAgent, type AcpAgentOptions } from "./acp-agent.js";
import { describeSilentMode } from "./asking-mode.js";
import { toWithdrawReason } from "./agent-requests.js";
import { LineCommands } from "./line-commands.js";
import { chooseSignIn } from "./sign-in.js";

export interface AcpAdapterOptions
  extends
    ProtocolAdapterOptions,
    Pick<AcpAgentOptions, "version" | "silenceMs" | "resume" | "asking" | "requests" | "permissions"> {
  readonly services: Pick<AcpAgentOptions["services"], "offers" | "offLimits">;
}

export class AcpAdapter extends ProtocolAdapter<AcpAdapterOptions, AcpAgent, ProtocolTurn> {
  readonly commands: LineCommands;
  #isOpen = false;

  constructor(options: AcpAdapterOptions) {
    super(options, toWithdrawReason);
    const show = (line: string): void => this.note(line);
    this.commands = new LineCommands({ ...options, agent: () => this.client, show });
  }

  /** Runs one task; resolves when the agent has ended its turn. The adapter must be `ready`, and no other turn may run. */
  prompt(text: string): Promise<ProtocolTurn> {
    return this.runTurn(text);
  }

  note(line: string): void {
    this.transcript.showLine(line);
  }

  override async snapshotContext(): Promise<SessionSnapshot> {
    const { client } = this;
    const answeredUnasked = client?.history ?? [];
    return { ...(await super.snapshotContext()), answeredUnasked, usage: client?.facts.usage ?? null };
  }

  protected createClient({ input, output }: PipedProcess): AcpAgent {
    const { options, pendingRequests } = this;
    return new AcpAgent({
      ...options,
      input,
      output,
      pendingRequests,
      services: { ...options, ...options.services },
      onDecided: (line) => this.note(line),
      onServed: (line, more) => this.transcript.showService(line, more),
      onActivity: (activity, isReplayed) => this.#onActivity(activity, isReplayed),
      onMode: ({ switchedTo, silence }) => {
        if (switchedTo !== null) this.note(switchedTo);
        if (silence !== null) this.note(silence);
      },
      chooseSignIn: (methods) => chooseSignIn(pendingRequests, methods),
      onHung: () => void this.terminateSession(options.sessionId),
    });
  }

  protected get lastMessage(): string | null {
    return this.client?.facts.lastMessage ?? null;
  }

  protected override onOpened(): void {
    this.#isOpen = true;
    this.transcript.endText();
  }

  #onActivity(activity: Activity, isReplayed: boolean): void {
    // The person has just typed this message; it is shown only when an earlier session is repeated.
    if (isReplayed || activity.kind !== "said" || activity.by !== "user")
      this.transcript.showActivity(activity);
    // While the session is opened, the mode may still be changed.
    if (activity.kind !== "setting" || !this.#isOpen || !this.client) return;
    const silence = describeSilentMode(this.options.asking, this.client.facts.settings);
    if (silence !== null) this.note(silence);
  }
}
