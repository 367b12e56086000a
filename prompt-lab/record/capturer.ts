/** Saves a live session's output as drafts of scenarios: on demand, or for every prompt. */
import { join } from "node:path";
import type { Paths } from "../../src/config/paths.js";
import { ensurePrivateDirectory } from "../../src/config/private-files.js";
import type { Clock } from "../../src/model/clock.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { ComparedReading } from "../../src/worker/runtimes/terminal/joined/reading-watch.js";
import type { Capture } from "../../src/worker/runtimes/terminal/recording-tail.js";
import type { Drafted } from "./draft.js";

/** If set to 1, every prompt of the session is captured. */
export const CAPTURE_PROMPTS = "ATLASBRIDGE_CAPTURE_PROMPTS";
/** Limit per session; more captures show nothing new. */
const CAPTURES_MAX = 50;

export interface CaptureOptions {
  readonly paths: Pick<Paths, "capturedScenariosDir">;
  readonly adapter: string;
  /** Folder the tool works in. */
  readonly cwd: string;
  readonly clock: Pick<Clock, "now">;
}

/** Returns a session's recent output. */
type Take = () => Capture;

export class Capturer {
  readonly #options: CaptureOptions;
  #count = 0;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** Writes a scrubbed draft. Errors: ATB_USAGE and those of a directory that is not private. */
  async capture(take: Take, description = ""): Promise<Drafted> {
    const { paths, adapter, cwd } = this.#options;
    const { cols, rows, events, tty } = take();
    // Loaded only now: most sessions are never captured.
    const { nameDraftFiles, writeDraft } = await import("./draft.js");
    ensurePrivateDirectory(paths.capturedScenariosDir);
    const files = nameDraftFiles(
      join(paths.capturedScenariosDir, `${adapter}-${this.#formatInstant()}.json`),
    );
    const told = await writeDraft(files, { tool: adapter, description, cols, rows, events, tty }, [cwd]);
    return { ...files, told };
  }

  /** Captures a raised prompt. Secrets are never stored, and a failure must not disturb the session. */
  captureRaised({ promptType }: Candidate, take: Take): void {
    if (promptType !== "secret") this.#captureOne(take, "");
  }

  /** Captures a dialog that was read otherwise than the tool's own request says. */
  captureDisagreement({ dialog, differences }: ComparedReading, take: Take): void {
    if (differences.length === 0 || dialog?.promptType === "secret") return;
    const read = dialog === null ? "no dialog was found" : `read by the rule ${dialog.rule}`;
    this.#captureOne(take, `The tool's own request says otherwise: ${differences.join(", ")}; ${read}`);
  }

  #captureOne(take: Take, description: string): void {
    if (this.#count >= CAPTURES_MAX) return;
    this.#count += 1;
    this.capture(take, description).catch(() => undefined);
  }

  /** Wall clock in milliseconds, for a file's name. */
  #formatInstant(): string {
    return new Date(this.#options.clock.now())
      .toISOString()
      .replace(/[-:]/g, "")
      .replace(/[TZ.]/g, "-")
      .slice(0, -1);
  }
}
