import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { readProperty, type PromptMark } from "./mark-parser.js";
import type { ModeDetector } from "./mode-detector.js";

export class ReportedState {
  readonly #program: ProgramFile;
  readonly #modes: ModeDetector;
  cwd: string | null = null;
  cwdReports = 0;

  constructor(program: ProgramFile, modes: ModeDetector) {
    this.#program = program;
    this.#modes = modes;
  }

  onMark(mark: PromptMark): void {
    if (mark.kind !== "property") return;
    const { prompt, capabilities } = this.#program;
    const keys = prompt.shell_integration?.property_updates;
    const cwd = capabilities.cwd_tracking ? readProperty(mark, keys?.cwd_key ?? "Cwd") : null;
    if (cwd !== null) {
      this.cwd = cwd;
      this.cwdReports += 1;
    }
    const mode = keys?.mode_key === undefined ? null : readProperty(mark, keys.mode_key);
    if (mode !== null) this.#modes.report(mode);
  }
}
