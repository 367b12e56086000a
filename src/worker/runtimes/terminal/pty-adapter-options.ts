/** What the `pty` runtime is given: the tool's settings, and what it must not make itself. */
import type { Random } from "../../../observe/random.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { SideChannelSource } from "../side-channel.js";
import type { ToolSettings } from "./open-tool.js";

export interface PtyAdapterOptions extends ToolSettings {
  readonly random: Random;
  readonly redact: (text: string) => string;
  /** A real terminal answers the tool's queries; without one the emulator does, so that the tool does not hang. */
  readonly hostAnswers: boolean;
  readonly stuckTimeoutMs: number;
  /** Absent or null: the tool says nothing beside its screen. */
  readonly sideChannel?: SideChannelSource | null;
  /** A question came up; what led to it can be captured now. */
  readonly onRaised?: (candidate: Candidate) => void;
}
