/** State and keys of `watch`, without terminal and hub. */
import { Input, matchesKey, parseKey, type Component } from "@earendil-works/pi-tui";
import type { PromptEnd, WatchedHub, WatchedPrompt, WatchListener } from "../../client/watch-hub.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { describeHidden, isRejecting } from "../../model/hidden.js";
import type { InspectedSession } from "../../client/seen-sessions.js";
import { formatChoices, formatContent, formatSessionLine } from "../format.js";
import {
  buildAnswer,
  buildRows,
  findTextRow,
  listTexts,
  type AnswerRow,
  type WatchAnswer,
} from "./answers.js";
import * as draw from "./draw.js";

export interface WatchActions {
  readonly redraw: () => void;
  readonly quit: () => void;
  readonly suspend: () => void;
  readonly callPerson: (prompt: WatchedPrompt) => void;
  readonly answer: (shortId: string, given: WatchAnswer) => Promise<string>;
  readonly askAgain: (promptId: string) => Promise<PromptEnd>;
  readonly now: () => number;
  readonly countRows: () => number;
}

const OUTCOMES_MAX = 20;
/** Shown for a line feed while a text is edited. */
const LINE_FEED = "␤";
const PASTED = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const PRINTABLE = /^[^\p{C}]+$/u;
/** Letters that leave or move on the page of a prompt. */
const COMMANDS: readonly string[] = ["q", "j", "k"];

type Moves = Readonly<Record<string, number | undefined>>;

export class WatchView implements Component, WatchListener {
  readonly #actions: WatchActions;
  readonly #input = new Input();
  #hub: WatchedHub = { sessions: [], prompts: [], unanswered: [], paused: false };
  /** Null while a hub responds. */
  #problem: string | null = "the hub has not responded yet";
  #outcomes: readonly draw.PromptOutcome[] = [];
  /** Shown until the next key. */
  #note: string | null = null;
  /** The prompt or session of the current page; null: the list. */
  #openId: string | null = null;
  /** Null until the person moves, so that a stray Enter answers nothing. */
  #selected: string | null = null;
  #scroll = 0;
  #ticked: readonly number[] = [];
  /** The printable keys pressed in a row on this page: the beginning of a text if another letter follows. */
  #typed = "";
  /** The row whose text is typed, with the texts of a form so far. */
  #entry: { readonly row: AnswerRow; readonly texts: readonly string[] } | null = null;
  /** An answer to hidden content that waits for `y`. */
  #accepting: WatchAnswer | null = null;
  #extent = { last: 0, page: 1 };

  constructor(actions: WatchActions) {
    this.#actions = actions;
    this.#input.focused = true;
    this.#input.onSubmit = (text) => this.#takeText(text.replaceAll(LINE_FEED, "\n"));
    this.#input.onEscape = () => {
      this.#entry = null;
      this.#input.setValue("");
    };
  }

  lost(why: string): void {
    this.#problem = why;
    this.#actions.redraw();
  }

  /** Closes the page of a prompt or session that ended. */
  refreshed(hub: WatchedHub): void {
    const alike = String(this.#prompt?.alike?.shortIds);
    this.#hub = hub;
    this.#problem = null;
    if (!this.#prompt && !this.#session) this.#open(null);
    // An Enter must not answer prompts that the row did not name.
    else if (String(this.#prompt?.alike?.shortIds) !== alike) this.#selected = null;
    this.#actions.redraw();
  }

  raised(prompt: WatchedPrompt): void {
    this.#actions.callPerson(prompt);
  }

  settled({ promptId, shortId }: Pick<WatchedPrompt, "promptId" | "shortId">, end: PromptEnd): void {
    const others = this.#outcomes.filter((known) => known.promptId !== promptId);
    this.#outcomes = [{ promptId, shortId, ...end }, ...others].slice(0, OUTCOMES_MAX);
    if (this.#openId === null) this.#open(null);
    this.#say(`${shortId}: ${end.text}`);
  }

  invalidate(): void {
    // There is no cache.
  }

  render(cols: number): string[] {
    const size = { cols, rows: this.#actions.countRows() };
    const { lines, ...extent } = draw.drawLayout(this.#layOut(cols), size, this.#highlighted, this.#scroll);
    this.#extent = extent;
    return lines;
  }

  #layOut(cols: number): draw.Layout {
    const now = this.#actions.now();
    const [prompt, session] = [this.#prompt, this.#session];
    const input = this.#entry ? this.#input.render(cols) : [];
    const header = draw.drawHeader(this.#hub, this.#problem);
    const frame = { header, input, note: this.#note ?? "", hints: this.#listHints() };
    if (prompt) {
      const title = draw.describePrompt(prompt, this.#hub, now);
      const body = formatContent(prompt, prompt.number).join("\n");
      return { ...frame, title, body, rows: this.#buildRows(prompt, cols) };
    }
    if (session) {
      const body = session.said ?? "(its last message is not known)";
      return { ...frame, title: formatSessionLine(session, now), body, rows: [] };
    }
    const rows = draw.buildList(this.#hub, this.#problem, this.#outcomes, now);
    return { ...frame, title: "", body: null, rows };
  }

  /** The heading of a typed text, or the rows to choose from. */
  #buildRows(prompt: WatchedPrompt, cols: number): readonly draw.ScreenRow[] {
    const rows = buildRows(prompt);
    if (!this.#entry && rows.length > 0) return draw.buildAnswerRows(rows, this.#ticked, cols);
    const asked = this.#entry && listTexts(prompt, this.#entry.row)[this.#entry.texts.length];
    return [{ lines: asked ?? formatChoices(prompt) }];
  }

  #listHints(): readonly string[] {
    if (this.#openId === null)
      return ["↑↓:move", `Enter:${this.#findAgain() ? "ask again" : "open"}`, "q:quit"];
    if (this.#entry) return ["Enter:send", "Esc:cancel"];
    if (this.#choices.length === 0) return ["PgUp PgDn:scroll", "Esc:back"];
    const row = this.#choices[Number(this.#selected ?? -1)];
    const typed = this.#textRow ? ["a–z:type an answer"] : [];
    const more = row?.ticks ? ["Space:tick"] : row?.text === "optional" ? ["Tab:with a text"] : [];
    return [...typed, ...more, "↑↓:choose", "Enter:answer", "PgDn:scroll", "Esc:back"];
  }

  get #prompt(): WatchedPrompt | undefined {
    return this.#hub.prompts.find(({ promptId }) => promptId === this.#openId);
  }

  get #session(): InspectedSession | undefined {
    return this.#hub.sessions.find(({ sessionId }) => sessionId === this.#openId);
  }

  get #choices(): readonly AnswerRow[] {
    return this.#prompt ? buildRows(this.#prompt) : [];
  }

  get #textRow(): AnswerRow | null {
    return this.#prompt?.state === "pending" ? findTextRow(this.#prompt, this.#choices) : null;
  }

  get #ids(): readonly string[] {
    if (this.#openId !== null) return this.#choices.map((_, at) => String(at));
    return [
      ...this.#hub.prompts.map(({ promptId }) => promptId),
      ...this.#hub.sessions.map(({ sessionId }) => sessionId),
      ...this.#outcomes.filter(({ again }) => again).map(({ promptId }) => promptId),
    ];
  }

  /** The list highlights its first row until the person moves. */
  get #highlighted(): string | null {
    return this.#selected ?? (this.#openId === null ? (this.#ids[0] ?? null) : null);
  }

  #findAgain(): draw.PromptOutcome | undefined {
    return this.#outcomes.find(({ promptId, again }) => again && promptId === this.#highlighted);
  }

  #say(note: string): void {
    this.#note = note;
    this.#actions.redraw();
  }

  /** Opens a page or (null) the list, and discards typed text. */
  #open(id: string | null): void {
    const left = this.#openId ?? this.#selected;
    this.#openId = id;
    const [only, ...others] = this.#choices;
    // A row that needs a text answers nothing before it is typed.
    if (id !== null) this.#selected = only?.text === "required" && others.length === 0 ? "0" : null;
    else this.#selected = this.#ids.find((each) => each === left) ?? null;
    [this.#scroll, this.#ticked, this.#typed, this.#entry, this.#accepting] = [0, [], "", null, null];
    this.#input.setValue("");
  }

  handleInput(data: string): void {
    const key = nameKey(data);
    if (key === "ctrl+z") this.#actions.suspend();
    else if (key === "ctrl+c") this.#actions.quit();
    else if (this.#entry || this.#startText(data, key))
      this.#input.handleInput(data.startsWith(PASTED) ? sanitizePaste(data) : data);
    else this.#press(key);
    this.#actions.redraw();
  }

  /**
   * Opens the text field if `data` belongs to an answer in words, with the keys before it. A key that names a row only moves the highlight
   * there, so Enter sends what the screen shows as chosen. After such a letter the commands are still commands.
   */
  #startText(data: string, key: string): boolean {
    const row = this.#textRow;
    const typed = this.#typed;
    const isCommand = typed === "" ? key === "space" : /\p{L}$/u.test(typed) && COMMANDS.includes(key);
    const isNamed = isCommand || this.#findNamed(key) >= 0;
    this.#typed = PRINTABLE.test(data) && !this.#accepting ? typed + data : "";
    if (!row || isNamed || this.#accepting || !(data.startsWith(PASTED) || PRINTABLE.test(data)))
      return false;
    [this.#entry, this.#note, this.#typed] = [{ row, texts: [] }, null, ""];
    if (typed !== "") this.#input.handleInput(typed);
    return true;
  }

  #findNamed(key: string): number {
    return this.#choices.findIndex(({ digit }) => digit === key.toUpperCase());
  }

  #press(key: string): void {
    this.#note = null;
    const isLeaving = key === "q" || key === "escape";
    if (key === "ctrl+d" || (isLeaving && this.#openId === null)) this.#actions.quit();
    else if (this.#openId === null) this.#pressInList(key);
    else if (isLeaving || key === "left") this.#open(null);
    else if (!this.#scrollBy(key) && this.#prompt) this.#pressOnPrompt(this.#prompt, key);
  }

  #pressInList(key: string): void {
    const again = this.#findAgain();
    if (this.#moveBy(key)) return;
    if (key === "enter" && again) void this.#askAgain(again);
    else if (key === "enter" || key === "right") this.#open(this.#highlighted);
  }

  #moveBy(key: string): boolean {
    const ids = this.#ids;
    const at = ids.indexOf(this.#highlighted ?? "");
    const moves: Moves = { up: at - 1, k: at - 1, down: at + 1, j: at + 1, home: 0, end: ids.length - 1 };
    const named = this.#findNamed(key);
    const to = named >= 0 ? named : moves[key];
    if (to !== undefined) this.#selected = ids[Math.max(0, Math.min(to, ids.length - 1))] ?? null;
    return to !== undefined;
  }

  #scrollBy(key: string): boolean {
    const { last, page } = this.#extent;
    const at = Math.min(this.#scroll, last);
    const moves: Moves = { pageDown: at + page, pageUp: at - page, home: 0, end: last };
    const to = moves[key];
    if (to !== undefined) this.#scroll = Math.max(0, Math.min(to, last));
    return to !== undefined;
  }

  #pressOnPrompt(prompt: WatchedPrompt, key: string): void {
    const row = this.#choices[Number(this.#selected ?? -1)];
    const accepting = this.#accepting;
    this.#accepting = null;
    if (accepting && key === "y") this.#answer(prompt, { ...accepting, acceptHidden: true });
    else if (accepting) this.#say("No answer was given.");
    else if (this.#moveBy(key)) return;
    else if (key === "enter") this.#choose(prompt, row);
    else if (key === "space" && row?.ticks) this.#tick(row);
    else if (key === "tab" && row?.text !== undefined && row.text !== "none")
      this.#entry = { row, texts: [] };
  }

  #tick({ value }: AnswerRow): void {
    const others = this.#ticked.filter((number) => String(number) !== value);
    const isTicked = others.length < this.#ticked.length;
    this.#ticked = isTicked ? others : [...others, Number(value)].sort((a, b) => a - b);
  }

  #choose(prompt: WatchedPrompt, row: AnswerRow | undefined): void {
    if (prompt.type === "secret") this.#say("Secrets are typed only at the tool's own terminal.");
    else if (prompt.state !== "pending") this.#say("It is already being answered.");
    else if (!row) this.#say(`Choose with ↑ ↓ or ${this.#textRow ? "type an answer" : "a number"} first.`);
    else if (row.ticks) this.#tick(row);
    else if (row.text === "required") this.#entry = { row, texts: [] };
    else this.#answer(prompt, buildAnswer(prompt, row, this.#ticked, []));
  }

  #takeText(text: string): void {
    const [prompt, entry] = [this.#prompt, this.#entry];
    this.#input.setValue("");
    if (text === "") this.#say("The text is empty.");
    if (!entry || !prompt || text === "") return;
    const texts = [...entry.texts, text];
    const isMore = texts.length < listTexts(prompt, entry.row).length;
    this.#entry = isMore ? { ...entry, texts } : null;
    if (!isMore) this.#answer(prompt, buildAnswer(prompt, entry.row, this.#ticked, texts));
  }

  /** Asks before hidden content is approved; the hub checks this, too. */
  #answer(prompt: WatchedPrompt, given: WatchAnswer): void {
    const { hidden } = prompt.content;
    const question = { promptType: prompt.type, ...prompt.details };
    if (hidden === null || given.acceptHidden || isRejecting(question, given.value))
      return void this.#send(prompt, given);
    this.#accepting = given;
    this.#say(`${describeHidden(hidden)}. Press y to approve it unseen, any other key to cancel.`);
  }

  async #send({ shortId }: WatchedPrompt, given: WatchAnswer): Promise<void> {
    this.#say(`${shortId}: sending …`);
    const failed = (error: unknown): string => `${shortId}: ${describeProblem(error)}`;
    this.#say(await this.#actions.answer(shortId, given).catch(failed));
  }

  async #askAgain(outcome: draw.PromptOutcome): Promise<void> {
    this.#say(`${outcome.shortId}: checking the screen …`);
    const failed = (error: unknown): PromptEnd => ({ text: describeProblem(error), again: true });
    this.settled(outcome, await this.#actions.askAgain(outcome.promptId).catch(failed));
  }
}

function describeProblem(error: unknown): string {
  return error instanceof AtlasBridgeError ? error.message : String(error);
}

function sanitizePaste(data: string): string {
  const text = data.slice(PASTED.length).replace(PASTE_END, "");
  const inOneLine = text.replace(/\r\n|\r|\n/g, LINE_FEED).replaceAll("\t", "    ");
  return `${PASTED}${inOneLine.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd")}${PASTE_END}`;
}

function nameKey(data: string): string {
  if (matchesKey(data, "home")) return "home";
  return matchesKey(data, "end") ? "end" : (parseKey(data) ?? "");
}
