import type { Clock } from "../../../model/clock.js";
import type { Fingerprint, PromptId } from "../../../model/ids.js";
import type { ReaskResult } from "../../../sdk/adapter.js";
import type { ScreenCells, Signals, View } from "../../../sdk/view.js";
import { PICTURE_COLS_MAX, PICTURE_ROWS_MAX } from "../../../wire/screen-cells.js";
import type { InterruptKey } from "../../adapter-format/adapter-file.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { findKey } from "../../adapter-format/key-names.js";
import type { LiveDetector } from "../../detection/live/live-detector.js";
import type { Terminal } from "../../process/terminal.js";
import { INTERRUPT_PROBLEM } from "../../../model/interrupt-problem.js";
import type { JoinedPrompts } from "./joined/joined-prompts.js";

export interface TerminalControlsOptions {
  readonly clock: Pick<Clock, "after">;
  readonly adapter: Pick<CompiledAdapter, "states" | "interrupt">;
  readonly prompts: Pick<JoinedPrompts, "drawnPrompt" | "isAsking" | "askAgain">;
  readonly screen: { view(): Pick<View, "lines" | "cols" | "rows" | "cursor" | "unfollowed"> };
  readonly signals: { readonly current: Signals };
  readonly detector: Pick<LiveDetector, "toolState" | "detectNow">;
  readonly terminal: Pick<Terminal, "alive" | "write">;
}

export type ShownScreen =
  { readonly text: string; readonly problem: null } | { readonly text: null; readonly problem: string };

const SCREEN_LOST = "what the tool draws cannot be followed: look at the terminal itself";

/** In one read two keys may be taken for one. Tools that want a second one wait seconds for it. */
const BETWEEN_KEYS_MS = 300;

export class TerminalControls {
  readonly #options: TerminalControlsOptions;

  constructor(options: TerminalControlsOptions) {
    this.#options = options;
  }

  /** Joins the rows that the terminal wrapped, so that a secret is found that is broken over two rows. */
  screen(): ShownScreen {
    if (this.#isAskingSecret())
      return { text: null, problem: "a secret is being typed: look at the terminal itself" };
    const view = this.#options.screen.view();
    if (view.unfollowed) return { text: null, problem: SCREEN_LOST };
    const lines = view.lines.reduce<string[]>((joined, { text, wrapped }) => {
      if (!wrapped || joined.length === 0) return [...joined, text];
      return [...joined.slice(0, -1), `${joined.at(-1) ?? ""}${text}`];
    }, []);
    const first = lines.findIndex((line) => line.trim() !== "");
    const last = lines.findLastIndex((line) => line.trim() !== "");
    return { text: first < 0 ? "" : lines.slice(first, last + 1).join("\n"), problem: null };
  }

  cells(): ScreenCells | null {
    const { cols, rows, lines, cursor, unfollowed } = this.#options.screen.view();
    if (this.#isAskingSecret() || unfollowed || cols > PICTURE_COLS_MAX || rows > PICTURE_ROWS_MAX)
      return null;
    return {
      cols,
      rows,
      cursor: cursor.visible ? { x: cursor.x, y: cursor.y } : null,
      lines: lines.map((line) => ({ wrapped: line.wrapped, runs: line.runs() })),
    };
  }

  /** Presses the tool's interrupt keys, if it provably has something to interrupt. Returns why not, or null when one was pressed. */
  interrupt(): string | null {
    const keys = this.#options.adapter.interrupt;
    if (keys.length === 0) return "AtlasBridge does not know how to interrupt this tool";
    return this.#press(keys);
  }

  #press([key, ...others]: readonly InterruptKey[]): string | null {
    const { terminal } = this.#options;
    if (!terminal.alive) return "the tool has ended";
    const problem = this.#findIdleReason();
    if (problem !== null || key === undefined) return problem;
    void terminal.write(Buffer.from(findKey(key)));
    if (others.length > 0) this.#options.clock.after(BETWEEN_KEYS_MS, () => void this.#press(others));
    return null;
  }

  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult {
    return this.#options.prompts.askAgain(promptId, fingerprint);
  }

  /** Why nothing can be interrupted, or null: the same key may answer a prompt, or end the tool where nothing runs. */
  #findIdleReason(): string | null {
    const { adapter, prompts, detector } = this.#options;
    // A dialog that is drawn and not raised yet does not change the state.
    if (prompts.isAsking || detector.detectNow() !== null) return INTERRUPT_PROBLEM.asking;
    const state = detector.toolState;
    const isBusy = adapter.states.working.length > 0 ? state === "working" : state !== "idle";
    if (isBusy && state !== "waiting") return null;
    return state === "idle" ? INTERRUPT_PROBLEM.idle : INTERRUPT_PROBLEM.notWorking;
  }

  #isAskingSecret(): boolean {
    const { prompts, signals } = this.#options;
    const { echo, canonical } = signals.current;
    return prompts.drawnPrompt?.event.promptType === "secret" || (canonical === true && echo === false);
  }
}
