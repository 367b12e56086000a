/**
 * Notices when a tool redraws a dialog at the same height with other content. Some tools draw a dialog, measure it, and draw it again
 * to fit the screen; the first drawing may lack rows, and only the second one shows that.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSame } from "../layout/fingerprint.js";
import { asksTheSame } from "./repeated-line.js";

export class ReflowWatch {
  #first: Candidate | null = null;
  #isReflowed = false;

  /** Must be called at every detection. `isRaised`: a prompt is raised. Between two drawings there may be views without the dialog. */
  update(candidate: Candidate | null, isRaised: boolean): void {
    if (isRaised) this.#first = null;
    else if (candidate !== null && candidate.promptType !== "unknown") this.#compare(candidate);
  }

  get isReflowed(): boolean {
    return this.#first !== null && this.#isReflowed;
  }

  #compare(candidate: Candidate): void {
    if (this.#first === null || !isOneDialog(this.#first, candidate))
      [this.#first, this.#isReflowed] = [candidate, false];
    else if (!isSame(this.#first, candidate)) this.#isReflowed = true;
  }
}

function isOneDialog(a: Candidate, b: Candidate): boolean {
  return asksTheSame(a, b) && a.region.bottom - a.region.top === b.region.bottom - b.region.top;
}
