/** What the `acp` runtime is given: what it must not make itself. */
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { Random } from "../../../observe/random.js";
import type { ServicesOptions } from "./services/services.js";
import type { UnaskedOptions } from "./unasked.js";
import type { Environment } from "../../transport/child-environment.js";

export interface AcpAdapterOptions {
  readonly sessionId: SessionId;
  /** Name that people know the agent by. */
  readonly tool: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly random: Random;
  /** Takes secrets out of text that leaves this machine. */
  readonly redact: (text: string) => string;
  /** Of this program, told to the agent. */
  readonly version: string;
  /** ms without a sign of life of an agent that works and asks nothing, after which its turn is cancelled. */
  readonly silenceMs: number;
  /** The agent's own name of an earlier session to go on with; null for a new one. */
  readonly resume: string | null;
  readonly colours: boolean;
  /** Somebody can answer its questions. Else each is refused: an agent must not wait for nobody. */
  readonly isAttended: boolean;
  /** What is done for it on its word; of the workspace, and nothing that is ours. */
  readonly services: Pick<ServicesOptions, "offers" | "offLimits">;
  /** What is answered without asking, and how that is put on record first. */
  readonly permissions: Pick<UnaskedOptions, "policy" | "record">;
}
