/** The options of the `pty` runtime: the tool's settings, and what the runtime must not create itself. */
import type { Random } from "../../../observe/random.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { SideChannelSource } from "../side-channel.js";
import type { ComparedReading } from "./reading-watch.js";
import type { ToolSettings } from "./open-tool.js";
import type { Capture } from "./recording-tail.js";

export interface PtyAdapterOptions extends ToolSettings {
  readonly random: Random;
  readonly safeText: (text: string) => string;
  /** A real terminal answers the tool's queries; without one the emulator does, so that the tool does not hang. */
  readonly hostAnswers: boolean;
  /** Descriptors at which a person types: their keys do not wait for a flood of output. */
  readonly keyFds?: readonly number[];
  readonly stuckTimeoutMs: number;
  /** Absent or null: the tool reports nothing beside its screen. */
  readonly sideChannel?: SideChannelSource | null;
  /** Called when a prompt appeared. `take` returns what led to it. */
  readonly onRaised?: (candidate: Candidate, take: () => Capture) => void;
  /** Called when a dialog and the tool's own request were compared. */
  readonly onCompared?: (reading: ComparedReading, take: () => Capture) => void;
}
