/** What the `headless` runtime is given: what it must not make itself. */
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { Random } from "../../../observe/random.js";
import type { Environment } from "../../transport/child-environment.js";
import type { Dialogue, DialogueParts } from "./dialogue.js";
import type { SessionReport } from "./session-report.js";

export interface HeadlessAdapterOptions extends Pick<
  DialogueParts,
  "cwd" | "version" | "context" | "resume" | "silenceMs" | "clock"
> {
  readonly sessionId: SessionId;
  /** Name that people know the tool by. */
  readonly tool: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly random: Random;
  /** Takes secrets out of text that leaves this machine. */
  readonly redact: (text: string) => string;
  readonly colours: boolean;
  /** Somebody can answer its questions. Else each is refused: a tool must not wait for nobody. */
  readonly isAttended: boolean;
  /** Speaks with the tool in its own words. */
  readonly speak: (parts: DialogueParts) => Dialogue;
  /** Told all that happens in the session, as it happens. */
  readonly onReport?: (report: SessionReport) => void;
}
