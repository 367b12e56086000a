/** Screen, rules, tracker and frame clock put together: bytes and keys in, raised and withdrawn candidates out. */
import type { Clock } from "../../../model/clock.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals, View } from "../../../sdk/view.js";
import { FrameScheduler } from "../../screen/frames.js";
import type { Screen } from "../../screen/screen.js";
import { isFurtherDown } from "./asked-again.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { detect } from "../detect.js";
import { type Detection } from "../detection.js";
import { DraftWatch } from "./draft-watch.js";
import { FittingWatch } from "./reflow-watch.js";
import { commits } from "../keys.js";
import { MenuWatch } from "./menu-watch.js";
import { isOnALine } from "../shapes/on-a-line.js";
import { isDeclaredBlocked } from "../matchers/unrecognized-screen.js";
import { UnreadWatch } from "./unrecognized-watch.js";
import { SCREEN_LOST_AFTER_MS } from "./tracker-limits.js";
import { advanceTracker, type TrackerOutput } from "./tracker.js";
import { INITIAL_TRACKER, type Pending, type TrackerInput } from "./tracker-state.js";

export interface LiveDetectorOptions {
  readonly adapter: CompiledAdapter;
  readonly screen: Screen;
  readonly clock: Clock;
  /** Facts besides the picture, asked for at each look. */
  readonly signals: () => Signals;
  /** The configuration's `stuck_timeout_seconds`; absent: its default. */
  readonly stuckTimeoutMs?: number;
}

export class LiveDetector {
  readonly #options: LiveDetectorOptions;
  readonly #frames: FrameScheduler;
  #tracker = INITIAL_TRACKER;
  readonly #unread: UnreadWatch;
  readonly #fitting = new FittingWatch();
  readonly #menus = new MenuWatch();
  readonly #drafts = new DraftWatch();
  readonly #listeners: ((output: TrackerOutput) => void)[] = [];
  #outputAt = -Infinity;
  /** Since when the screen cannot be followed, as far as looks tell. */
  #lostAt: number | null = null;

  constructor(options: LiveDetectorOptions) {
    this.#options = options;
    this.#unread = new UnreadWatch(options.adapter);
    this.#frames = new FrameScheduler(options.clock, (lateMs) => this.look(lateMs));
    options.screen.onArrival(() => this.#onArrival());
    options.screen.onChange(() => this.#frames.changed(options.screen.isFlooded));
  }

  /** `listener` is called with every prompt that is raised or withdrawn, and with every new state of the tool. */
  onOutput(listener: (output: TrackerOutput) => void): void {
    this.#listeners.push(listener);
  }

  /** The prompt that is raised now, as it looks now. */
  get pending(): Pending | null {
    return this.#tracker.pending;
  }

  /** Whether the raised prompt of this epoch stands where it was raised, in the picture as parsed until now. */
  isCurrent(epoch: number): boolean {
    const { pending } = this.#tracker;
    const { screen } = this.#options;
    if (pending?.epoch !== epoch || pending.isStale) return false;
    return screen.isFollowed && !isFurtherDown(pending, screen);
  }

  /** Whether the raised prompt of this epoch was asked again in the same words since, and nobody was told so yet. */
  isStale(epoch: number): boolean {
    const { pending } = this.#tracker;
    return pending?.epoch === epoch && pending.isStale === true;
  }

  /** What is raised stands on a line, and is not drawn. */
  get asksOnLine(): boolean {
    const { pending } = this.#tracker;
    return pending !== null && this.#isLine(pending.candidate);
  }

  get toolState(): ToolState | null {
    return this.#tracker.toolState;
  }

  /** What the rules find in the picture as parsed until now, still or not. */
  candidateNow(): Candidate | null {
    return this.#detect(this.#options.screen.view()).candidate;
  }

  /** Looks at the screen now, whether or not a frame is due. `lateMs`: how late it was called for want of a processor. */
  look(lateMs = 0): void {
    const { screen, clock } = this.#options;
    const view = screen.view();
    const now = clock.monotonic();
    if (view.unfollowed) {
      this.#lookAtLost(now);
      return;
    }
    this.#lostAt = null;
    const { candidate, state, stableMs } = this.#detect(view);
    this.#advance({
      kind: "frame",
      now,
      candidate,
      state,
      stableMs,
      stillness: candidate ? stillnessOf(view, candidate) : "",
      // What is not parsed yet is as unfinished as an update that the tool holds open.
      isUnfinished: view.modes.synchronizedUpdate || screen.backlogBytes > 0,
      outputAt: this.#outputAt,
      lateMs,
      outputBytes: screen.writtenBytes,
      lineFeeds: screen.lineFeeds,
    });
    const { pending } = this.#tracker;
    if (pending && this.#isLine(pending.candidate))
      this.#drafts.see(pending, view, this.#options.signals(), screen.lineFeeds);
    this.#frames.wakeAt(this.#tracker.wakeAt);
  }

  /** A moment is forgiven: what draws so much is often about to draw all of it anew. Nothing is raised or typed meanwhile. */
  #lookAtLost(now: number): void {
    this.#lostAt ??= now;
    const tellAt = this.#lostAt + SCREEN_LOST_AFTER_MS;
    if (now >= tellAt) this.#advance({ kind: "screen_lost" });
    else this.#frames.wakeAt(tellAt);
  }

  /** The facts besides the picture have changed: looks soon, as after a change of the picture. */
  wake(): void {
    this.#frames.changed();
  }

  /** Call after the screen was resized. */
  resized(): void {
    this.#advance({ kind: "resized", now: this.#options.clock.monotonic() });
  }

  /** What the person at the terminal typed, as it was read. */
  typed(input: Uint8Array): void {
    const { pending } = this.#tracker;
    if (input.length === 0) return;
    this.#unread.typed(this.#options.clock.monotonic());
    this.clicked();
    if (!pending) return;
    const { candidate } = pending;
    const mayAnswer = this.#isLine(candidate)
      ? this.#drafts.typed(input)
      : commits(input, candidate.committingKeys);
    if (mayAnswer) this.#commit("local");
  }

  #isLine(candidate: Candidate): boolean {
    return isOnALine(candidate) || this.#unread.isLine(candidate);
  }

  /** Somebody clicked at the terminal, or typed: what comes up now may be what they opened. */
  clicked(): void {
    this.#menus.touched(this.#options.clock.monotonic());
  }

  /** We wrote the last key of a plan. */
  committed(): void {
    this.#commit("us");
  }

  /** Our reply ended `uncertain` or `failed`. */
  replyUnsettled(): void {
    this.#advance({ kind: "reply_unsettled", now: this.#options.clock.monotonic() });
    this.#frames.changed();
  }

  /** The hook or protocol request behind this dialog was answered or dropped. `hasTwin`: an equal one waits. */
  requestSettled(dialog: Candidate, hasTwin: boolean): void {
    this.#advance({ kind: "request_settled", now: this.#options.clock.monotonic(), dialog, hasTwin });
    this.#frames.changed();
  }

  stop(): void {
    this.#frames.stop();
  }

  #onArrival(): void {
    this.#outputAt = this.#options.clock.monotonic();
    this.#frames.changed(this.#options.screen.isFlooded);
  }

  #commit(by: "local" | "us"): void {
    const { clock, screen } = this.#options;
    this.#advance({ kind: "committing_key", now: clock.monotonic(), by, outputBytes: screen.writtenBytes });
  }

  #detect(view: View): Detection {
    const { adapter, screen, signals, clock, stuckTimeoutMs } = this.#options;
    const facts = signals();
    const now = clock.monotonic();
    const found = this.#menus.judge(detect(adapter, view, facts, stuckTimeoutMs), { now, signals: facts });
    const { pending } = this.#tracker;
    const draft = pending && !pending.isStale && this.#drafts.find(pending, view, facts, screen.lineFeeds);
    const candidate = draft || found.candidate;
    this.#unread.see(candidate, { now, isBlocked: isDeclaredBlocked(facts), lineFeeds: screen.lineFeeds });
    this.#fitting.see(candidate, this.#tracker.pending !== null);
    if (candidate === null || this.#asksNothing(candidate)) return { ...found, candidate: null };
    const { stableMs, correctedMs = stableMs } = found;
    const layoutMs = this.#fitting.isRefitted ? correctedMs : stableMs;
    return { ...found, candidate, stableMs: this.#unread.stableMs(candidate, layoutMs) };
  }

  /** What is raised now counts as a question until it is over. */
  #asksNothing(candidate: Candidate): boolean {
    const isRaised = this.#tracker.pending?.candidate.fingerprint === candidate.fingerprint;
    return !isRaised && this.#unread.asksNothing(candidate);
  }

  #advance(input: TrackerInput): void {
    const step = advanceTracker(this.#tracker, input);
    this.#tracker = step.state;
    for (const output of step.outputs) {
      if (output.kind === "raise") this.#unread.note(output.candidate);
      for (const listener of this.#listeners) listener(output);
    }
  }
}

/** A clock's digits and a spinner's pictures: what they show tells nothing of whether the dialog is drawn whole. */
const MOVING = /[\d\u2800-\u28ff◐◓◑◒✢✳✶✻✽]/gu;

/** Sides of frames, and scroll bars, which come and go with whatever moves elsewhere. */
const EDGES = new Set("│┃║|█▀▄▐▕┆");

/** What the candidate's region and all below it say. What moves above it does not matter, nor where on the screen its rows stand. */
function stillnessOf(view: View, { region }: Candidate): string {
  return view.lines
    .slice(region.top)
    .map((line) => withoutEdge(line.text).replace(MOVING, "0"))
    .filter((text) => text !== "")
    .join("\n");
}

function withoutEdge(text: string): string {
  const drawn = text.trimEnd();
  return EDGES.has(drawn.at(-1) ?? "") ? drawn.slice(0, -1).trimEnd() : drawn;
}
