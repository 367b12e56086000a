/** What the `acp` runtime is given: what it must not make itself. */
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import type { ProtocolAdapterOptions } from "../../runtimes/protocol/protocol-client.js";
import type { ServicesOptions } from "./services/services.js";
import type { AutoDeciderOptions } from "./permission/auto-decided.js";

export interface AcpAdapterOptions extends ProtocolAdapterOptions {
  /** Of this program, told to the agent. */
  readonly version: string;
  /** ms without a sign of life of an agent that works and asks nothing, after which its turn is cancelled. */
  readonly silenceMs: number;
  /** The agent's own name of an earlier session to go on with; null for a new one. */
  readonly resume: string | null;
  /** In which of its modes it asks, if it does not in all. */
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
  /** What is done for it on its word; of the workspace, and nothing that is ours. */
  readonly services: Pick<ServicesOptions, "offers" | "offLimits">;
  /** What is answered without asking, and how that is put on record first. */
  readonly permissions: Pick<AutoDeciderOptions, "policy" | "record">;
}
