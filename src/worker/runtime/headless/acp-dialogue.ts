/** A tool that is talked to in the Agent Client Protocol, as one of the ways of running it without its interface. */
import { ActivityReader } from "../spoken/activity.js";
import { requestHandlers } from "../acp/agent-requests.js";
import { AgentSession } from "../acp/agent-session.js";
import type { Json } from "../../detect/json.js";
import type { Activity } from "../spoken/activity.js";
import { withContext } from "./driver.js";
import type { Dialogue, DialogueParts, TurnEnd } from "./dialogue.js";

export class AcpDialogue implements Dialogue {
  readonly #session: AgentSession;
  readonly #activities = new ActivityReader();
  readonly #parts: DialogueParts;
  #context: string | null;

  constructor(parts: DialogueParts) {
    this.#parts = parts;
    this.#context = parts.context;
    const { desk, cwd } = parts;
    this.#session = new AgentSession({
      ...parts,
      capabilities: {},
      onOpened: () => undefined,
      handlers: requestHandlers({
        cwd,
        desk,
        call: (id) => this.#activities.call(id),
        unasked: () => Promise.resolve(null),
        services: {},
      }),
      isAsking: () => desk.isAsking,
      onActivity: (update) => this.#onUpdate(update),
      // Nobody signs in on the way: that is done once, before.
      chooseSignIn: () => Promise.resolve(null),
    });
  }

  get session(): string | null {
    return this.#session.lasting;
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
    return { ...(await this.#session.prompt(withContext(context, text))), costUsd: null };
  }

  cancel(): void {
    this.#session.cancel();
  }

  close(): void {
    this.#session.close();
  }

  #onUpdate(update: Json): Activity | null {
    const activity = this.#activities.read(update);
    // Before it is open, what is told is an earlier session again.
    if (activity && this.#session.id !== null) this.#parts.onActivity(activity);
    return activity;
  }
}
