/** One agent with its session, permissions, files and commands, under `run --runtime acp` and under `exec`. */
import type { Json } from "../../../model/data/json.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import type { ProtocolTurn } from "../../runtimes/protocol/protocol-client.js";
import { createRequestHandlers } from "./agent-requests.js";
import { AgentSession, type AgentSessionOptions } from "./agent-session.js";
import { ensureAskingMode, type AskingModeResult } from "./asking-mode.js";
import { AutoDecider, type AutoDecision, type AutoDeciderOptions } from "./permission/auto-decider.js";
import { Services, type ServicesOptions } from "./services/services.js";
import { SessionFacts } from "./session-facts.js";

export interface AcpSetup {
  readonly permissions: Pick<AutoDeciderOptions, "policy" | "record">;
  readonly services: Pick<ServicesOptions, "offers" | "offLimits" | "environment" | "sessionId" | "random">;
}

export interface AcpAgentOptions
  extends
    AcpSetup,
    Pick<
      AgentSessionOptions,
      "input" | "output" | "clock" | "cwd" | "version" | "silenceMs" | "resume" | "chooseSignIn" | "onHung"
    > {
  readonly pendingRequests: PendingRequests;
  /** The modes in which it asks; null: it asks in every mode. */
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
  /** Called when a request was answered by the permission mode. */
  readonly onDecided: (line: string, allowed: boolean) => void;
  readonly onServed: ServicesOptions["onShown"];
  /** `isReplayed`: the activity belongs to an earlier session that is being loaded. */
  readonly onActivity: (activity: Activity, isReplayed: boolean) => void;
  /** Called once before the session is open; may throw to refuse the mode. */
  readonly onMode: (mode: AskingModeResult) => void;
}

export class AcpAgent extends AgentSession {
  readonly facts: SessionFacts;
  readonly #decider: AutoDecider;
  readonly #services: Services;

  constructor(options: AcpAgentOptions) {
    const { cwd, clock, pendingRequests, requests, asking, onActivity } = options;
    const facts = new SessionFacts();
    const decider = new AutoDecider({ ...options.permissions, clock, onAnswered: options.onDecided });
    const services = new Services({
      ...options.services,
      cwd,
      clock,
      onShown: options.onServed,
      onChange: (service, content) => decider.noteHistory(service, content),
    });
    super({
      ...options,
      capabilities: services.capabilities,
      handlers: createRequestHandlers({
        cwd,
        pendingRequests,
        requests,
        calls: facts.calls,
        autoDecide: (request, isChanged) => decider.answer(request, cwd, isChanged),
        services: services.handlers,
      }),
      isKeptWaiting: () => pendingRequests.isAsking || services.isWaitedFor,
      onOpened: async (answer: Json, session) => {
        facts.settings.noteOptions(answer);
        options.onMode(await ensureAskingMode({ asking, clock, settings: facts.settings, session }));
      },
      onActivity: (update, isReplayed) => {
        const activity = facts.take(update);
        if (activity) onActivity(activity, isReplayed);
        return activity;
      },
    });
    this.facts = facts;
    this.#decider = decider;
    this.#services = services;
  }

  /** The permissions that the mode has answered, oldest first. */
  get history(): readonly AutoDecision[] {
    return this.#decider.history;
  }

  override async open(): Promise<void> {
    await super.open();
    // Messages of a loaded session are not part of the first turn.
    this.facts.startTurn();
  }

  override prompt(text: string): Promise<ProtocolTurn> {
    this.facts.startTurn();
    return super.prompt(text);
  }

  override close(): void {
    super.close();
    this.#services.close();
  }
}
