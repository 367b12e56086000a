/**
 * Whether a tool corrected a dialog at the height that it has. A tool that fits a dialog into the screen draws it, measures it, and draws
 * it again; at its full height the first of two pictures may lack rows, and only the second one tells that it did.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSame } from "../layout/fingerprint.js";

export class FittingWatch {
  #first: Candidate | null = null;
  #isRefitted = false;

  /** Looks at what was found now; must see every look. `isRaised`: a prompt is. Pictures between two drawings show no dialog. */
  see(candidate: Candidate | null, isRaised: boolean): void {
    if (isRaised) this.#first = null;
    else if (candidate !== null && candidate.promptType !== "unknown") this.#compare(candidate);
  }

  /** Of the dialog seen last. */
  get isRefitted(): boolean {
    return this.#first !== null && this.#isRefitted;
  }

  #compare(candidate: Candidate): void {
    if (this.#first === null || !isOneDialog(this.#first, candidate))
      [this.#first, this.#isRefitted] = [candidate, false];
    else if (!isSame(this.#first, candidate)) this.#isRefitted = true;
  }
}

/** The same question with the same answers in a dialog of the same height, whatever else it shows. */
function isOneDialog(a: Candidate, b: Candidate): boolean {
  return (
    a.rule === b.rule &&
    a.question === b.question &&
    heightOf(a) === heightOf(b) &&
    a.choices.length === b.choices.length &&
    a.choices.every(({ label }, index) => label === b.choices[index]?.label)
  );
}

function heightOf({ region }: Candidate): number {
  return region.bottom - region.top;
}
