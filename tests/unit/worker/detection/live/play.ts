/** The tracker with a clock, and candidates to show it. */
import { asId, type Fingerprint } from "../../../../../src/model/ids.js";
import type { Candidate, CandidateChoice } from "../../../../../src/sdk/candidate.js";
import { CLOSING_MS } from "../../../../../src/worker/detection/live/tracker-limits.js";
import { advanceTracker, type TrackerOutput } from "../../../../../src/worker/detection/live/tracker.js";
import {
  INITIAL_TRACKER,
  type TrackerInput,
  type TrackerState,
} from "../../../../../src/worker/detection/live/tracker-state.js";

export const STABLE_MS = 100;

export function choice(label: string): CandidateChoice {
  return { label, intent: "other", answer: { by: "key", key: "1" }, firstRow: 0, lastRow: 0 };
}

export function candidate(name: string, change: Partial<Candidate> = {}): Candidate {
  return {
    rule: "permission",
    shape: "list",
    promptType: "multiple_choice",
    safetyClass: "permission",
    score: 0.97,
    question: name,
    choices: [choice("Yes"), choice("No")],
    highlighted: 1,
    constraints: {},
    content: { text: name, cut: null },
    drawn: change.content?.text ?? name,
    listed: "",
    size: { cols: 80, rows: 24 },
    region: { top: 5, bottom: 10 },
    fingerprint: asId<Fingerprint>(name),
    committingKeys: ["\r", "1"],
    endsTool: [],
    ...change,
  };
}

/** A tracker with a clock: `see` is a frame, output bytes arrive with `draw`. */
export class Play {
  state: TrackerState = INITIAL_TRACKER;
  now = 0;
  readonly log: string[] = [];
  #outputAt = -Infinity;
  #outputBytes = 0;

  draw(bytes = 40): this {
    this.#outputAt = this.now;
    this.#outputBytes += bytes;
    return this;
  }

  see(found: Candidate | null, more: { quietKey?: string; sync?: boolean; lateMs?: number } = {}): this {
    return this.#feed({
      kind: "frame",
      now: this.now,
      candidate: found,
      state: found ? "waiting" : "working",
      stableMs: found ? STABLE_MS : 0,
      quietKey: more.quietKey ?? found?.fingerprint ?? "",
      isUnfinished: more.sync ?? false,
      outputAt: this.#outputAt,
      lateMs: more.lateMs ?? 0,
      outputBytes: this.#outputBytes,
      lineFeeds: 0,
    });
  }

  /** Lets time pass, looking whenever the tracker wants to. */
  wait(ms: number, found: Candidate | null, more: { quietKey?: string; sync?: boolean } = {}): this {
    const end = this.now + ms;
    this.see(found, more);
    while (this.state.wakeAt !== null && this.state.wakeAt <= end) {
      this.now = this.state.wakeAt;
      this.see(found, more);
    }
    this.now = end;
    return this;
  }

  /** A dialog is drawn whole and left alone. */
  raise(found: Candidate): this {
    return this.draw(1000).wait(STABLE_MS + 50, found);
  }

  say(input: "resized" | "reply_unsettled"): this {
    return this.#feed({ kind: input, now: this.now });
  }

  settle(closesWithinMs = CLOSING_MS): this {
    return this.#feed({ kind: "settled", now: this.now, closesWithinMs });
  }

  commit(by: "local" | "us" = "local"): this {
    return this.#feed({ kind: "committing_key", now: this.now, by, outputBytes: this.#outputBytes });
  }

  #feed(input: TrackerInput): this {
    const step = advanceTracker(this.state, input);
    this.state = step.state;
    this.log.push(...step.outputs.flatMap(words));
    return this;
  }
}

function words(output: TrackerOutput): string[] {
  if (output.kind === "raise") return [`raise ${output.candidate.question} #${output.epoch}`];
  if (output.kind === "withdraw") return [`withdraw ${output.reason}`];
  return [];
}
