import type { Clock } from "../../../model/clock.js";
import type { Random } from "../../../observe/random.js";
import type { StampOptions } from "../../detection/stamp.js";
import type { Environment } from "../../process/child-environment.js";
import type { TerminalExit } from "../../process/terminal.js";
import type { DeliveryPeer } from "../../prompts/confirm-delivery.js";

export interface ProtocolAdapterOptions extends Pick<StampOptions, "sessionId" | "safeText"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly tool: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** Whether somebody can answer its prompts. Otherwise each is refused, so that the tool does not wait in vain. */
  readonly isAttended: boolean;
  /** ms after which an unanswered prompt is refused, for unattended runs; 0 or absent: never. */
  readonly answerWithinMs?: number;
}

export interface ProtocolTurn {
  readonly stopReason: string | null;
  readonly problem: string | null;
}

export interface ProtocolClient<Turn extends ProtocolTurn> extends DeliveryPeer {
  readonly isWorking: boolean;
  /** Resolves when it takes its first task. Errors: ATB_TOOL_START_FAILED, with the tool's own words. */
  open(): Promise<void>;
  /** Runs one turn; resolves when it is over. Never rejects. Not while another is in progress. */
  prompt(text: string): Promise<Turn>;
  cancel(): void;
  closeSession?(): Promise<void>;
  close(exit: TerminalExit): void;
}
