/** A tool that is talked to in the Agent Client Protocol, as one of the ways of running it without its interface. */
import { ActivityReader } from "../../runtimes/protocol/activity.js";
import { requestHandlers } from "./agent-requests.js";
import { AgentSession } from "./agent-session.js";
import type { Json } from "../../../model/data/json.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import { ensureAskingMode } from "./asking-mode.js";
import { AcpSettings } from "./settings.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import { prependContext } from "../../runtimes/exec/command-builder.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "../../runtimes/exec/exec-client.js";

export interface AcpExecClientOptions extends ExecClientParts {
  /** In which of its modes it asks, if it does not in all. */
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
}

export class AcpExecClient implements ExecClient {
  readonly #session: AgentSession;
  readonly #activities = new ActivityReader();
  readonly #settings = new AcpSettings();
  readonly #parts: AcpExecClientOptions;
  #context: string | null;

  constructor(parts: AcpExecClientOptions) {
    this.#parts = parts;
    this.#context = parts.context;
    const { pendingRequests, cwd, requests } = parts;
    this.#session = new AgentSession({
      ...parts,
      capabilities: {},
      onOpened: (answer) => this.#onSession(answer),
      handlers: requestHandlers({
        cwd,
        pendingRequests,
        requests,
        call: (id) => this.#activities.findCall(id),
        autoDecide: () => Promise.resolve(null),
        services: {},
      }),
      isKeptWaiting: () => pendingRequests.isAsking,
      onActivity: (update) => this.#onUpdate(update),
      // Nobody signs in on the way: that is done once, before.
      chooseSignIn: () => Promise.resolve(null),
    });
  }

  get session(): string | null {
    return this.#session.resumableId;
  }

  get messages(): number {
    return this.#session.messages;
  }

  get isWorking(): boolean {
    return this.#session.isWorking;
  }

  ping(): Promise<void> {
    return this.#session.ping();
  }

  open(): Promise<void> {
    return this.#session.open();
  }

  /** The context stands before the first task: it has no place of its own. */
  async prompt(text: string): Promise<TurnEnd> {
    const context = this.#context;
    this.#context = null;
    return { ...(await this.#session.prompt(prependContext(context, text))), costUsd: null };
  }

  cancel(): void {
    this.#session.cancel();
  }

  close(): void {
    this.#session.close();
  }

  /** Rejects where it would ask nobody: approvals stay on. */
  async #onSession(answer: Json): Promise<void> {
    this.#settings.opened(answer);
    const { asking, clock } = this.#parts;
    const { silence } = await ensureAskingMode({
      asking,
      clock,
      settings: this.#settings,
      session: this.#session,
    });
    if (silence !== null) throw new Error(silence);
  }

  #onUpdate(update: Json): Activity | null {
    this.#settings.take(update);
    const activity = this.#activities.read(update);
    // Before it is open, what is told is an earlier session again.
    if (activity && this.#session.id !== null) this.#parts.onActivity(activity);
    return activity;
  }
}
