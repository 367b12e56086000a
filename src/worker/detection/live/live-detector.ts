/** Joins screen, rules, tracker and frame clock: output and keys go in, raised and withdrawn candidates come out. */
import type { Clock } from "../../../model/clock.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals, View } from "../../../sdk/view.js";
import { FrameScheduler } from "../../screen/frame-scheduler.js";
import type { Screen } from "../../screen/screen.js";
import { isFurtherDown } from "./repeated-line.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { detect } from "../detect.js";
import { computeQuietKey } from "../layout/quiet-key.js";
import { type Detection } from "../detection.js";
import { DraftWatch } from "./draft-watch.js";
import { ReflowWatch } from "./reflow-watch.js";
import { hasCommittingKey, mayAnswerDialog } from "../keys.js";
import { MenuWatch } from "./menu-watch.js";
import { OpenWatch, type TerminalUsers } from "./open-watch.js";
import { SizeWatch } from "./size-watch.js";
import { isLineShape } from "../shapes/line-shape.js";
import { isDeclaredBlocked, UNRECOGNIZED_MENU } from "../matchers/unrecognized-screen.js";
import { classifyTyped } from "./typed-task.js";
import { UnrecognizedWatch } from "./unrecognized-watch.js";
import { ANSWERED_CLOSING_MS, CLOSING_MS, SCREEN_LOST_AFTER_MS, TWIN_CLOSING_MS } from "./tracker-limits.js";
import { advanceTracker, type TrackerOutput } from "./tracker.js";
import { INITIAL_TRACKER, type Committer, type Pending, type TrackerInput } from "./tracker-state.js";

export interface LiveDetectorOptions {
  readonly adapter: CompiledAdapter;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly readSignals: () => Signals;
  /** Reads the terminal size that the tool sees. Absent: the size of the screen. */
  readonly readToolSize?: () => Candidate["size"] | null;
  /** The configuration's `stuck_timeout_seconds`; absent: its default. */
  readonly stuckTimeoutMs?: number;
  /** Who else uses the terminal. Absent: it is not known. */
  readonly users?: TerminalUsers;
}

export class LiveDetector {
  readonly #options: LiveDetectorOptions;
  readonly #frames: FrameScheduler;
  #tracker = INITIAL_TRACKER;
  readonly #unrecognized: UnrecognizedWatch;
  readonly #reflow = new ReflowWatch();
  readonly #menus = new MenuWatch();
  readonly #drafts = new DraftWatch();
  readonly #opens: OpenWatch | null;
  readonly #size: SizeWatch;
  readonly #listeners: ((output: TrackerOutput) => void)[] = [];
  #outputAt = -Infinity;
  /** Since when detection has found that the screen cannot be followed; null while it can. */
  #lostAt: number | null = null;

  constructor(options: LiveDetectorOptions) {
    this.#options = options;
    this.#unrecognized = new UnrecognizedWatch(options.adapter);
    // A program that asks on a line may do so by `/dev/tty`, and the kernel tells who reads the line.
    const { adapter, users = null } = options;
    this.#opens = users !== null && adapter.unread === "screen" ? new OpenWatch(users) : null;
    this.#size = new SizeWatch(options.readToolSize ?? (() => null));
    this.#frames = new FrameScheduler(options.clock, (lateMs) => this.look(lateMs));
    options.screen.onArrival(() => this.#onArrival());
    options.screen.onChange(() => this.#frames.noteChange(options.screen.isFlooded));
  }

  /** `listener` is called with every prompt that is raised or withdrawn, and with every new state of the tool. */
  onOutput(listener: (output: TrackerOutput) => void): void {
    this.#listeners.push(listener);
  }

  get pending(): Pending | null {
    return this.#tracker.pending;
  }

  /** Whether the raised prompt of this epoch is still where it was raised, on the screen as parsed until now. */
  isCurrent(epoch: number): boolean {
    const { pending } = this.#tracker;
    const { screen } = this.#options;
    if (pending?.epoch !== epoch || pending.isStale) return false;
    return screen.isFollowed && !isFurtherDown(pending, screen) && !this.#size.isChanged;
  }

  /** Whether the tool has repeated the raised prompt of this epoch, and people have no card of that yet. */
  isStale(epoch: number): boolean {
    const { pending } = this.#tracker;
    return pending?.epoch === epoch && pending.isStale === true;
  }

  /** Whether all output is on the screen that the rules see: it can be followed, and no drawing is under way. */
  get isReadable(): boolean {
    const { screen } = this.#options;
    return screen.isFollowed && screen.backlogBytes === 0 && !screen.view().modes.synchronizedUpdate;
  }

  /** Whether the raised prompt is a line prompt, not a drawn dialog. */
  get asksOnLine(): boolean {
    const { pending } = this.#tracker;
    return pending !== null && this.#isLine(pending.candidate);
  }

  get toolState(): ToolState | null {
    return this.#tracker.toolState;
  }

  /** What the rules find on the screen as parsed until now, stable or not. */
  detectNow(): Candidate | null {
    return this.#detect(this.#options.screen.view()).candidate;
  }

  /** Runs a detection now, whether or not a frame is due. `lateMs`: how late it runs because the machine is busy. */
  look(lateMs = 0): void {
    const { screen, clock } = this.#options;
    const view = screen.view();
    const now = clock.monotonic();
    if (view.unfollowed) {
      this.#lookAtLost(now);
      return;
    }
    this.#lostAt = null;
    if (this.#tracker.pending && this.#size.isChanged) this.#advance({ kind: "resized_within" });
    const { candidate, state, stableMs } = this.#detect(view);
    this.#advance({
      kind: "frame",
      now,
      candidate,
      state,
      stableMs,
      quietKey: candidate ? computeQuietKey(view, candidate) : "",
      // Output that is not parsed yet leaves the view as unfinished as an open synchronized update.
      isUnfinished: view.modes.synchronizedUpdate || screen.backlogBytes > 0,
      outputAt: this.#outputAt,
      lateMs,
      outputBytes: screen.writtenBytes,
      lineFeeds: screen.lineFeeds,
    });
    const { pending } = this.#tracker;
    if (pending && this.#isLine(pending.candidate))
      this.#drafts.update(pending, view, this.#options.readSignals(), screen.lineFeeds);
    this.#frames.wakeAt(this.#tracker.wakeAt);
  }

  /**
   * A short loss is ignored, because a tool that draws that much often redraws the whole screen. Meanwhile no prompt is raised
   * and no key is typed.
   */
  #lookAtLost(now: number): void {
    this.#lostAt ??= now;
    const tellAt = this.#lostAt + SCREEN_LOST_AFTER_MS;
    if (now >= tellAt) this.#advance({ kind: "screen_lost" });
    else this.#frames.wakeAt(tellAt);
  }

  /** Call when facts besides the screen have changed: it schedules a detection as after a change of the screen. */
  wake(): void {
    this.#frames.noteChange();
  }

  onResized(): void {
    this.#size.note();
    this.#advance({ kind: "resized", now: this.#options.clock.monotonic() });
  }

  /** Call with each input of the person at the terminal. `canonical`: the mode of the terminal when it was read. */
  onTyped(input: Uint8Array, canonical?: boolean): void {
    const { pending } = this.#tracker;
    if (input.length === 0) return;
    this.#drafts.noteKeys(input, canonical);
    const { adapter, screen, clock } = this.#options;
    // A turn may be too quick to be seen working.
    const isIdle = adapter.unread === "screen" && this.toolState === "idle";
    const typed = isIdle ? classifyTyped(adapter, screen.view(), input) : "perhaps a task";
    const isTask = typed === "task";
    this.#unrecognized.onTyped(clock.monotonic(), isTask ? "working" : this.toolState, typed === "no task");
    if (isTask) this.#menus.onTask();
    else this.onClicked();
    if (pending && this.#mayAnswer(input, pending.candidate)) this.#noteCommit("local");
  }

  /** Call before a command from outside types for what runs in a console. */
  onSent(): void {
    this.#noteCommit("command");
  }

  #mayAnswer(input: Uint8Array, candidate: Candidate): boolean {
    // Any character may choose in a menu that no rule reads; arrows only move in it.
    if (candidate.shape === UNRECOGNIZED_MENU) return mayAnswerDialog(input, true);
    if (this.#isLine(candidate)) return this.#drafts.onTyped(input);
    return hasCommittingKey(input, candidate.committingKeys);
  }

  #isLine(candidate: Candidate): boolean {
    return isLineShape(candidate) || this.#unrecognized.isLine(candidate);
  }

  /** Call when somebody clicked or typed at the terminal: a menu that comes up now may be theirs. */
  onClicked(): void {
    this.#menus.onUserInput(this.#options.clock.monotonic());
  }

  onCommitted(): void {
    this.#noteCommit("us");
  }

  /**
   * Call when somebody pressed a key remotely on a screen that no rule reads, or tried to: the present screen is raised at once.
   */
  onScreenKey(): void {
    this.#unrecognized.onScreenKey(this.#options.clock.monotonic());
    this.#menus.onScreenKey();
    this.#frames.noteChange();
  }

  onReplyUnsettled(): void {
    this.#advance({ kind: "reply_unsettled", now: this.#options.clock.monotonic() });
    this.#frames.noteChange();
  }

  /** Call when the request behind this dialog was answered or dropped. `hasTwin`: an equal request still waits. */
  onRequestSettled(dialog: Candidate, hasTwin: boolean): void {
    this.#settle(dialog, hasTwin ? TWIN_CLOSING_MS : CLOSING_MS);
  }

  /** Call when a reply to this dialog ended `answered` although the dialog is still drawn. */
  onReplySettled(dialog: Candidate): void {
    this.#settle(dialog, ANSWERED_CLOSING_MS);
  }

  #settle(dialog: Candidate, closesWithinMs: number): void {
    this.#advance({ kind: "settled", now: this.#options.clock.monotonic(), dialog, closesWithinMs });
    this.#frames.noteChange();
  }

  stop(): void {
    this.#frames.stop();
  }

  #onArrival(): void {
    this.#outputAt = this.#options.clock.monotonic();
    this.#frames.noteChange(this.#options.screen.isFlooded);
  }

  #noteCommit(by: Committer): void {
    const { clock, screen } = this.#options;
    this.#advance({ kind: "committing_key", now: clock.monotonic(), by, outputBytes: screen.writtenBytes });
  }

  #detect(view: View): Detection {
    const { adapter, screen, readSignals: signals, clock, stuckTimeoutMs } = this.#options;
    const facts = signals();
    const now = clock.monotonic();
    const found = this.#menus.classify(detect(adapter, view, facts, stuckTimeoutMs), { now, signals: facts });
    const { pending } = this.#tracker;
    const draft =
      pending && !pending.isStale && this.#drafts.findDraft(pending, view, facts, screen.lineFeeds);
    const isStarted = found.candidate !== null || found.state === "idle";
    const isAnswered = this.#tracker.commit !== null;
    const isJoined = this.#drafts.hasBegun(facts) && found.candidate && this.#isLine(found.candidate);
    const drawn = draft || (isJoined ? { ...found.candidate, hasDraft: true as const } : found.candidate);
    const candidate = this.#opens ? this.#opens.update(drawn, { isStarted, isAnswered, now }) : drawn;
    this.#unrecognized.update(candidate, {
      now,
      isBlocked: isDeclaredBlocked(facts),
      lineFeeds: screen.lineFeeds,
      state: found.state,
    });
    this.#reflow.update(candidate, this.#tracker.pending !== null);
    if (candidate === null || this.#isNoPrompt(candidate)) return { ...found, candidate: null };
    const { stableMs, correctedMs = stableMs } = found;
    const layoutMs = this.#reflow.isReflowed ? correctedMs : stableMs;
    return { ...found, candidate, stableMs: this.#unrecognized.computeStableMs(candidate, layoutMs) };
  }

  /** A raised prompt stays a prompt until it is withdrawn. */
  #isNoPrompt(candidate: Candidate): boolean {
    const isRaised = this.#tracker.pending?.candidate.fingerprint === candidate.fingerprint;
    return !isRaised && this.#unrecognized.isNoPrompt(candidate);
  }

  #advance(input: TrackerInput): void {
    const step = advanceTracker(this.#tracker, input);
    this.#tracker = step.state;
    for (const output of step.outputs) {
      if (output.kind === "raise") {
        this.#unrecognized.onRaised(output.candidate);
        this.#size.note();
      }
      for (const listener of this.#listeners) listener(output);
    }
  }
}
