/** Saves a live session's output as drafts, on demand or for every prompt. */
import { join } from "node:path";
import type { Paths } from "../../src/config/paths.js";
import { ensurePrivateDirectory } from "../../src/config/private-files.js";
import type { Clock } from "../../src/model/clock.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { ComparedReading } from "../../src/worker/runtimes/terminal/joined/reading-watch.js";
import type { Capture } from "../../src/worker/runtimes/terminal/recording-tail.js";
import type { Drafted } from "./draft.js";

/** The value 1 captures every prompt of the session. */
export const CAPTURE_PROMPTS = "ATLASBRIDGE_CAPTURE_PROMPTS";
const CAPTURES_MAX = 50;

export interface CaptureOptions {
  readonly paths: Pick<Paths, "capturedScenariosDir">;
  readonly adapter: string;
  readonly cwd: string;
  readonly clock: Pick<Clock, "now">;
}

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
    // Loaded on first use, because most sessions are never captured.
    const { nameDraftFiles, writeDraft } = await import("./draft.js");
    ensurePrivateDirectory(paths.capturedScenariosDir);
    const files = nameDraftFiles(
      join(paths.capturedScenariosDir, `${adapter}-${this.#formatInstant()}.json`),
    );
    const told = await writeDraft(files, { tool: adapter, description, cols, rows, events, tty }, [cwd]);
    return { ...files, told };
  }

  /** Stores no secrets. A failure must not disturb the session. */
  captureRaised({ promptType }: Candidate, take: Take): void {
    if (promptType !== "secret") this.#captureOne(take, "");
  }

  /** Captures a dialog whose reading differs from the tool's own request. */
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

  #formatInstant(): string {
    return new Date(this.#options.clock.now())
      .toISOString()
      .replace(/[-:]/g, "")
      .replace(/[TZ.]/g, "-")
      .slice(0, -1);
  }
}
