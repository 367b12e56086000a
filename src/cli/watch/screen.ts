/** `watch` as a full screen: keys in, lines out, answers to the hub. The pure files beside it decide what they mean. */
import { Input, matchesKey, parseKey, TUI, type Component } from "@earendil-works/pi-tui";
import { answerSeveral, describeAnsweredTogether } from "../../client/answer-several.js";
import { answerPrompt, askAgain } from "../../client/ask-hub.js";
import { createConfiguredNotifier, type CallPerson } from "../../app/hub/notify.js";
import { watchPrompts, type PromptEnd, type WatchedHub, type WatchListener } from "../../client/watch-hub.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { canStopAsJob, stopAsJob } from "../job/stop-as-job.js";
import { drawWatch, measurePage, type Scene } from "./draw.js";
import { press, typeText, cancelEntry, type KeyStep, type WatchAction } from "./keys.js";
import { OwnTerminal } from "./own-terminal.js";
import {
  INITIAL_STATE,
  withConnection,
  withHub,
  withNote,
  withOutcome,
  withoutHub,
  type WatchState,
} from "./state.js";

/** Ages are shown in seconds. */
const REDRAW_EVERY_MS = 1_000;

/** Represents a line feed while a text is edited in a single line. */
const LINE_FEED = "␤";
const PASTED = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/** Runs until the person quits or the process is told to exit. */
export async function watchOnScreen(): Promise<void> {
  const terminal = new OwnTerminal();
  const callPerson = createConfiguredNotifier((text) => terminal.write(text));
  const tui = new TUI(terminal);
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const jobStops = createJobStops(terminal, tui, leaving.signal);
  const screen = new WatchScreen(() => tui.requestRender(), terminal, {
    quit: leave,
    suspend: () => void jobStops.suspend(),
    callPerson,
  });
  const forget = guardTerminal(terminal, jobStops, leave);
  tui.addChild(screen);
  tui.setFocus(screen);
  tui.start();
  const ticking = setInterval(() => tui.requestRender(), REDRAW_EVERY_MS);
  try {
    await watchPrompts(screen, leaving.signal);
  } finally {
    clearInterval(ticking);
    forget();
    tui.stop();
  }
}

/** What it does besides drawing and answering. */
interface WatchActions {
  readonly quit: () => void;
  readonly suspend: () => void;
  readonly callPerson: CallPerson;
}

class WatchScreen implements Component, WatchListener {
  readonly #redraw: () => void;
  readonly #size: { readonly columns: number; readonly rows: number };
  readonly #actions: WatchActions;
  readonly #input = new Input();
  #state: WatchState = INITIAL_STATE;

  constructor(redraw: () => void, size: OwnTerminal, actions: WatchActions) {
    this.#redraw = redraw;
    this.#size = size;
    this.#actions = actions;
    this.#input.focused = true;
    this.#input.onSubmit = (text) => this.#takeInput(text.replaceAll(LINE_FEED, "\n"));
    this.#input.onEscape = () => this.#setState(cancelEntry(this.#state));
  }

  connected(isConnected: boolean): void {
    this.#setState(withConnection(this.#state, isConnected));
  }

  hubMissing(why: string): void {
    this.#setState(withoutHub(this.#state, why));
  }

  raised(prompt: ListedPrompt): void {
    this.#actions.callPerson(prompt);
  }

  refreshed(hub: WatchedHub): void {
    this.#setState(withHub(this.#state, hub));
  }

  settled(prompt: ListedPrompt, end: PromptEnd): void {
    this.#setState(withOutcome(this.#state, prompt, end));
  }

  render(): string[] {
    return [...drawWatch(this.#buildScene())];
  }

  invalidate(): void {
    // Nothing is cached between two drawings.
  }

  handleInput(data: string): void {
    const leaves = matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+z");
    if (this.#entry && !leaves) {
      this.#input.handleInput(data.startsWith(PASTED) ? sanitizePaste(data) : data);
      this.#redraw();
    } else this.#take(press(this.#state, nameKey(data), measurePage(this.#buildScene())));
  }

  #buildScene(): Scene {
    const { columns: cols, rows } = this.#size;
    const input = this.#entry ? (this.#input.render(cols)[0] ?? "") : null;
    return { state: this.#state, size: { cols, rows }, now: Date.now(), input };
  }

  get #entry(): boolean {
    return this.#state.page.kind === "prompt" && this.#state.page.entry !== null;
  }

  #takeInput(text: string): void {
    this.#input.setValue("");
    this.#take(typeText(this.#state, text));
  }

  #take({ state, action }: KeyStep): void {
    this.#setState(state);
    if (action?.kind === "answer") void this.#answer(action);
    else if (action?.kind === "again") void this.#askAgain(action);
    else if (action) this.#actions[action.kind]();
  }

  #setState(state: WatchState): void {
    const typedBefore = this.#entry;
    this.#state = state;
    // Ticks and texts typed for one prompt never carry over to the next.
    if (!this.#entry || !typedBefore) this.#input.setValue("");
    this.#redraw();
  }

  /** Sends it like the command `answer`. The outcome shows when the prompt is settled. */
  async #answer({ prompt: { shortId }, given }: Extract<WatchAction, { kind: "answer" }>): Promise<void> {
    if (given.alike !== undefined) {
      const done = answerSeveral(given.alike, given.value).then(describeAnsweredTogether);
      const lines = await done.catch((error: unknown) => [describeProblem(error).text]);
      this.#setState(withNote(this.#state, lines.join(" · ")));
      return;
    }
    const told = await answerPrompt({ shortId, ...given }, true).catch(describeProblem);
    const text = "kind" in told && told.kind === "claimed" ? "taken" : told.text;
    this.#setState(withNote(this.#state, `${shortId}: ${text}`));
  }

  async #askAgain({ outcome }: Extract<WatchAction, { kind: "again" }>): Promise<void> {
    const end = await askAgain(outcome.promptId).catch((error: unknown) => ({
      ...describeProblem(error),
      again: true,
    }));
    this.#setState(withOutcome(this.#state, outcome, end));
  }
}

function describeProblem(error: unknown): { readonly text: string } {
  return { text: error instanceof AtlasBridgeError ? error.message : String(error) };
}

/** Keeps line breaks; control characters are shown as placeholders. */
function sanitizePaste(data: string): string {
  const text = data.slice(PASTED.length).replace(PASTE_END, "");
  const inOneLine = text.replace(/\r\n|\r|\n/g, LINE_FEED).replaceAll("\t", "    ");
  return `${PASTED}${inOneLine.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd")}${PASTE_END}`;
}

function nameKey(data: string): string {
  if (matchesKey(data, "home")) return "home";
  return matchesKey(data, "end") ? "end" : (parseKey(data) ?? "");
}

/** The terminal is restored before anything else happens, however this process ends. */
function guardTerminal(terminal: OwnTerminal, { goOn }: JobStops, leave: () => void): () => void {
  const giveBack = (): void => terminal.giveBack();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
  const end = (signal: NodeJS.Signals): void => {
    giveBack();
    for (const other of signals) process.off(other, end);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, end);
  process.on("SIGCONT", goOn).on("exit", giveBack).on("uncaughtExceptionMonitor", giveBack);
  process.stdin.on("end", leave).on("error", leave);
  process.stdout.on("error", leave);
  return () => {
    for (const signal of signals) process.off(signal, end);
    process.off("SIGCONT", goOn).off("exit", giveBack).off("uncaughtExceptionMonitor", giveBack);
  };
}

interface JobStops {
  /** As Ctrl-Z does for any program; nothing happens where the rest of the job would not stop. */
  readonly suspend: () => Promise<void>;
  /** After a stop from elsewhere, which left the terminal to others, too. */
  readonly goOn: () => void;
}

function createJobStops(terminal: OwnTerminal, tui: TUI, left: AbortSignal): JobStops {
  let isStopping = false;
  const takeAgain = (): void => {
    if (left.aborted) return;
    terminal.take();
    tui.requestRender(true);
  };
  return {
    async suspend() {
      if (isStopping || !canStopAsJob()) return;
      isStopping = true;
      terminal.giveBack();
      await stopAsJob();
      isStopping = false;
      takeAgain();
    },
    goOn() {
      if (isStopping) return;
      // Node believes that the mode is still the one it has set.
      terminal.giveBack();
      takeAgain();
    },
  };
}
