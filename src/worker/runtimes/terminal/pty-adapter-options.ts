/** What the `pty` runtime is given: the tool's settings, and what it must not make itself. */
import type { Random } from "../../../observe/random.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { HookAccess } from "../../integrations/hooks/hook-listener.js";
import type { AttachAccess } from "../attachment/attachment.js";
import type { ToolSettings } from "./open-tool.js";

export interface PtyAdapterOptions extends ToolSettings {
  readonly random: Random;
  readonly redact: (text: string) => string;
  /** A real terminal answers the tool's queries; without one the emulator does, so that the tool does not hang. */
  readonly hostAnswers: boolean;
  readonly stuckTimeoutMs: number;
  /** Where the tool was told to call its hooks; null: it was not. */
  readonly hookAccess?: HookAccess | null;
  /** How it is joined; then it was told to call nothing. */
  readonly joinAccess?: AttachAccess | null;
  /** A question came up; what led to it can be captured now. */
  readonly onRaised?: (candidate: Candidate) => void;
}
