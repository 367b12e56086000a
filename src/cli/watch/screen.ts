/** `watch` on the full screen. The terminal is restored whenever the process ends. */
import { ProcessTerminal, StdinBuffer, TUI } from "@earendil-works/pi-tui";
import { createConfiguredNotifier } from "../../app/hub/notify.js";
import { answerSeveral, describeAnsweredTogether } from "../../client/answer-several.js";
import { answerPrompt, askAgain } from "../../client/ask-hub.js";
import { watchPrompts } from "../../client/watch-hub.js";
import { canStopAsJob, stopAsJob } from "../job/stop-as-job.js";
import type { WatchAnswer } from "./answers.js";
import { WatchView } from "./view.js";

/** The alternate screen keeps the previous content. No wrapping: some character widths are guesses. */
const TAKE = "\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[?25l\u001b[2J\u001b[H";
const GIVE_BACK = "\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l";
/** The library clears the scrollback on a resize; it belongs to the user. */
const CLEAR_SCROLLBACK = "\u001b[3J";
/** The rest of an escape sequence follows faster, even over ssh. */
const ESC_TIMEOUT_MS = 50;
const REDRAW_EVERY_MS = 1_000;

export async function watchOnScreen(): Promise<void> {
  const terminal = new OwnTerminal();
  const tui = new TUI(terminal);
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const view = new WatchView({
    redraw: () => tui.requestRender(),
    quit: leave,
    suspend: handleStops(terminal, tui, leaving.signal),
    callPerson: createConfiguredNotifier((text) => terminal.write(text)),
    answer,
    askAgain,
    now: Date.now,
    countRows: () => terminal.rows,
  });
  restoreOnExit(terminal);
  process.stdin.on("end", leave).on("error", leave);
  process.stdout.on("error", leave);
  tui.addChild(view);
  tui.setFocus(view);
  tui.start();
  const ticking = setInterval(() => tui.requestRender(), REDRAW_EVERY_MS);
  try {
    await watchPrompts(view, leaving.signal);
  } finally {
    clearInterval(ticking);
    tui.stop();
  }
}

/** Sends no queries: a late reply would be read as a key. */
class OwnTerminal extends ProcessTerminal {
  readonly #keys = new StdinBuffer({ timeout: ESC_TIMEOUT_MS });
  #taken = false;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.#keys.on("data", onInput);
    this.#keys.on("paste", (text: string) => onInput(`\u001b[200~${text}\u001b[201~`));
    process.stdin.setEncoding("utf8").on("data", (data: string) => this.#keys.process(data));
    process.stdout.on("resize", onResize);
    this.take();
  }

  override stop(): void {
    this.giveBack();
    process.stdin.removeAllListeners("data").pause();
  }

  take(): void {
    if (this.#taken) return;
    this.#taken = true;
    process.stdin.setRawMode(true);
    process.stdin.resume();
    process.stdout.write(TAKE);
  }

  giveBack(): void {
    if (!this.#taken) return;
    this.#taken = false;
    try {
      process.stdout.write(GIVE_BACK);
      process.stdin.setRawMode(false);
    } catch {
      // The terminal was closed.
    }
  }

  override write(data: string): void {
    if (this.#taken) process.stdout.write(data.replaceAll(CLEAR_SCROLLBACK, ""));
  }
}

/** The outcome also shows when the prompt is settled. */
async function answer(shortId: string, given: WatchAnswer): Promise<string> {
  if (given.alike !== undefined)
    return describeAnsweredTogether(await answerSeveral(given.alike, given.value)).join(" · ");
  const told = await answerPrompt({ shortId, ...given }, true);
  return `${shortId}: ${told.kind === "claimed" ? "taken" : told.text}`;
}

function restoreOnExit(terminal: OwnTerminal): void {
  const giveBack = (): void => terminal.giveBack();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    process.once(signal, () => {
      giveBack();
      process.kill(process.pid, signal);
    });
  process.on("exit", giveBack).on("uncaughtExceptionMonitor", giveBack);
}

/**
 * Restores the terminal while the job is stopped. Returns the action of Ctrl-Z, which does nothing if the rest of the job would not stop.
 */
function handleStops(terminal: OwnTerminal, tui: TUI, left: AbortSignal): () => void {
  let isStopping = false;
  const takeAgain = (): void => {
    if (left.aborted) return;
    terminal.take();
    tui.requestRender(true);
  };
  process.on("SIGCONT", () => {
    if (isStopping) return;
    // After a stop from outside, Node's cached mode is wrong.
    terminal.giveBack();
    takeAgain();
  });
  const suspend = async (): Promise<void> => {
    if (isStopping || !canStopAsJob()) return;
    isStopping = true;
    terminal.giveBack();
    await stopAsJob();
    isStopping = false;
    takeAgain();
  };
  return () => void suspend();
}
