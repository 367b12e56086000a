/** An agent of the Agent Client Protocol that `exec` runs. */
import { prependContext } from "../../runtimes/exec/command-builder.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "../../runtimes/exec/exec-client.js";
import { AcpAgent, type AcpAgentOptions, type AcpSetup } from "./acp-agent.js";
import { SessionCost } from "./session-cost.js";

export interface AcpExecClientOptions
  extends ExecClientParts, AcpSetup, Pick<AcpAgentOptions, "asking" | "requests"> {}

export class AcpExecClient extends AcpAgent implements ExecClient {
  readonly #cost: SessionCost;
  #context: string | null;

  constructor(parts: AcpExecClientOptions) {
    const { onActivity, onDenied, context, resume } = parts;
    const cost = new SessionCost(resume !== null);
    super({
      ...parts,
      onDecided: (line, allowed) => {
        onActivity({ kind: "notice", text: line });
        if (!allowed) onDenied?.();
      },
      onServed: (line, more) => onActivity({ kind: "notice", text: [line, ...more].join("\n") }),
      onActivity: (activity, isReplayed) => {
        if (activity.kind === "usage") cost.take(activity);
        if (activity.kind !== "setting" && !isReplayed) onActivity(activity);
      },
      // A mode that never asks is refused, because approvals must stay on.
      onMode: ({ silence }) => {
        if (silence !== null) throw new Error(silence);
      },
      // Signing in has to be done before.
      chooseSignIn: () => Promise.resolve(null),
    });
    this.#cost = cost;
    this.#context = context;
  }

  get session(): string | null {
    return this.resumableId;
  }

  /** The protocol has no field for the context, so it precedes the first task. */
  override async prompt(text: string): Promise<TurnEnd> {
    const context = this.#context;
    this.#context = null;
    const end = await super.prompt(prependContext(context, text));
    return { ...end, costUsd: this.#cost.usd };
  }
}
