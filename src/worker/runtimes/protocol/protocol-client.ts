/** A conversation with a tool over its pipes, whatever protocol it is in. */
import type { Clock } from "../../../model/clock.js";
import type { Random } from "../../../observe/random.js";
import type { StampOptions } from "../../detection/stamp.js";
import type { Environment } from "../../process/child-environment.js";
import type { TerminalExit } from "../../process/terminal.js";
import type { DeliveryPeer } from "../../prompts/confirm-delivery.js";

/** What a runtime that talks must not make itself. */
export interface SpokenAdapterOptions extends Pick<StampOptions, "sessionId" | "redact"> {
  readonly clock: Clock;
  readonly random: Random;
  /** Name that people know the tool by. */
  readonly tool: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly colours: boolean;
  /** Somebody can answer its questions. Else each is refused: a tool must not wait for nobody. */
  readonly isAttended: boolean;
  /** Nobody sits at it: a question is refused that nobody has answered after so many ms. 0, or none: it waits. */
  readonly answerWithinMs?: number;
}

/** How a turn ended: the tool's own word, or why there is none. */
export interface ProtocolTurn {
  readonly stopReason: string | null;
  readonly problem: string | null;
}

/** One conversation with the tool, in whatever protocol. */
export interface ProtocolClient<Turn extends ProtocolTurn> extends DeliveryPeer {
  readonly isWorking: boolean;
  /** Resolves when it takes its first task. Errors: ATB_TOOL_START_FAILED, with the tool's own words. */
  open(): Promise<void>;
  /** One turn; resolves when it is over. Never rejects. Not while another is under way. */
  prompt(text: string): Promise<Turn>;
  /** Tells the tool to stop; one that does not is told of by `onHung`. */
  cancel(): void;
  /** What is said before the tool is ended. */
  farewell?(): Promise<void>;
  /** Nothing is said any more: the tool has ended. */
  close(exit: TerminalExit): void;
}
