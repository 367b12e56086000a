/** Injects an answer into its prompt, by the route that its sources allow, one answer at a time. */
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import { findRejectingValue } from "../../../model/answer/rejecting.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { ReceiptBlock } from "../../../model/answer/receipt.js";
import { STOP, TEXT_PREFIX, type Reply } from "../../../model/answer/reply.js";
import type { InjectionGate, InjectionResult } from "../../../sdk/adapter.js";
import { makeExcerpt } from "../../../safety/excerpt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { answerRequest } from "../../answer/answer-request.js";
import { pause, type TerminalPort } from "../../answer/terminal-port.js";
import { injectAnswer } from "../../answer/inject.js";
import { chooseRoute, type AnswerRouting } from "../../answer/route.js";
import type { RunExclusive } from "../../answer/run-exclusive.js";
import { isCommand } from "../../detection/composer.js";
import { hasCommittingKey } from "../../detection/keys.js";
import type { Pending } from "../../detection/live/tracker-state.js";
import { detectState } from "../../detection/states.js";
import type { RequestResult } from "../../prompts/pending-request.js";
import { createRefusedResult } from "../../prompts/refusal.js";
import type { JoinedPrompt } from "./joined/joined-prompt.js";
import { openDriver, type DriverParts } from "./open-driver.js";
import { stopTool } from "./stop-tool.js";
import type { DialogPreviews, SideChannel } from "../side-channel.js";
import type { ToolSignals } from "../../signals/tool-signals.js";
import type { TerminalControls } from "./remote-controls.js";
import { needsReader } from "./terminal-signals.js";

export interface AnswerInjectorOptions extends DriverParts {
  readonly signals: ToolSignals;
  readonly controls: Pick<TerminalControls, "interrupt">;
  readonly sideChannel: Pick<SideChannel, "formOverrides"> | null;
  readonly previews: DialogPreviews | null;
  readonly runExclusive: RunExclusive;
  readonly safeText: (text: string) => string;
}

const ESC = "esc";
const ENTER_KEY = "enter";

interface Correction {
  readonly by: "correction";
  readonly candidate: Candidate;
  readonly result: RequestResult;
}

interface InjectionOrder {
  readonly reply: Reply;
  readonly gate: InjectionGate;
  readonly halt: AbortSignal | undefined;
}

export class AnswerInjector {
  readonly #options: AnswerInjectorOptions;
  readonly #port: TerminalPort;

  constructor(options: AnswerInjectorOptions) {
    this.#options = options;
    const detect = (): Candidate | null => options.detector.detectNow();
    this.#port = openDriver(options, { detect, onWrite: (bytes) => this.#onOurKeys(bytes) });
  }

  async inject(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    const prompt = this.#options.prompts.find(reply.promptId);
    const no = prompt && reply.value === STOP ? findRejectingValue(prompt.event) : null;
    const answer = no === null ? reply : { ...reply, value: no };
    const result = await this.#options.runExclusive(() => this.#injectNow({ reply: answer, gate, halt }));
    // A tool is stopped only after a proved no.
    if (no === null || result.kind === "refused" || result.receipt.outcome === "failed") return result;
    return { ...result, receipt: { ...result.receipt, stop: await this.#stopTool(halt) } };
  }

  #stopTool(halt: AbortSignal | undefined): Promise<ReceiptBlock> {
    const { adapter, screen, detector, signals } = this.#options;
    const state = (): ToolState | null =>
      detector.detectNow() === null ? detectState(adapter, screen.view(), signals.current) : "waiting";
    return stopTool({ ...this.#options, state }, halt);
  }

  async #injectNow(order: InjectionOrder): Promise<InjectionResult> {
    const { reply } = order;
    const { prompts } = this.#options;
    const prompt = prompts.find(reply.promptId);
    const routed = prompt && this.#findRoute(prompt, reply);
    if (prompt && routed && "by" in routed && routed.by === "keys") await this.#waitUntilReady(prompt);
    if (!this.#options.terminal.alive) return createRefusedResult(createRefusal("session_gone"), false);
    if (!prompt || !routed || prompts.find(reply.promptId) !== prompt)
      return createRefusedResult(createRefusal("withdrawn"), false);
    if (!("by" in routed)) return createRefusedResult(routed, true);
    if (this.#wouldRunCommand(prompt, routed, reply))
      return createRefusedResult(createRefusal("composer_command"), true);
    prompts.startAnswer(prompt);
    const result = this.#redactChange(await this.#carryOut(prompt, routed, order));
    const { detector } = this.#options;
    const asksOn = prompt.event.promptType === "unknown" && isMovingKey(reply.value);
    if (asksOn || hasMovedUnread(prompt, result)) detector.onScreenKey();
    return prompts.finishAnswer(result, detector.detectNow() !== null, asksOn);
  }

  #redactChange(result: InjectionResult): InjectionResult {
    if (result.kind === "refused" || !result.receipt.change) return result;
    const change = makeExcerpt(this.#options.safeText(result.receipt.change).replace(/\n/g, " ⏎ "));
    return { ...result, receipt: { ...result.receipt, change } };
  }

  /** Words after a No go into the tool's input box, and a screen that no rule can read may be that box. */
  #wouldRunCommand(
    { event }: JoinedPrompt,
    route: AnswerRouting | Correction,
    { value, text = "" }: Reply,
  ): boolean {
    const { adapter } = this.#options;
    if (event.promptType === "unknown" && value.startsWith(TEXT_PREFIX))
      return isCommand(adapter, value.slice(TEXT_PREFIX.length));
    const row = route.by === "keys" ? route.candidate.choices[Number(value) - 1] : undefined;
    return row?.textTo === "composer" && isCommand(adapter, text);
  }

  #findRoute(prompt: JoinedPrompt, reply: Reply): AnswerRouting | Correction | Refusal {
    const { drawn, event, stampedBy } = prompt;
    const { candidate, raised } = this.#options.detector.pending ?? { candidate: null, raised: null };
    if (candidate && !showsChosen(raised, candidate, reply)) return createRefusal("screen_moved");
    if (isForm(prompt)) return this.#findFormRoute(prompt, candidate, reply);
    return chooseRoute(
      {
        stampedBy,
        // As it looks now: it may have been scrolled, or its highlight may have moved.
        dialog: drawn && candidate,
        request: this.#options.prompts.findWaitingRequest(prompt)?.request ?? null,
      },
      { ...reply, shownForm: event.constraints.form },
    );
  }

  #findFormRoute(prompt: JoinedPrompt, candidate: Candidate | null, reply: Reply): Correction | Refusal {
    const { drawn } = prompt;
    const form = drawn && this.#options.previews?.findForm(drawn.candidate);
    if (!form || !candidate) return createRefusal("withdrawn");
    const answer = form.answer({ ...reply, shownForm: prompt.event.constraints.form });
    return "result" in answer ? { by: "correction", candidate, result: answer.result } : answer;
  }

  async #waitUntilReady({ acceptsKeysAt }: JoinedPrompt): Promise<void> {
    const { clock } = this.#options;
    const dropsKeysMs = acceptsKeysAt - clock.monotonic();
    if (dropsKeysMs > 0) await pause(clock, dropsKeysMs);
  }

  #carryOut(
    prompt: JoinedPrompt,
    route: AnswerRouting | Correction,
    order: InjectionOrder,
  ): Promise<InjectionResult> {
    switch (route.by) {
      case "keys":
        return this.#injectByKeys(prompt, route.candidate, order);
      case "hook":
      case "protocol":
        return this.#answerByRequest(prompt, route, order);
      case "correction":
        return this.#injectByCorrection(prompt, route, order);
    }
  }

  #injectByCorrection(prompt: JoinedPrompt, { candidate, result }: Correction, order: InjectionOrder) {
    const formOverrides = this.#options.sideChannel?.formOverrides;
    if (!formOverrides) return Promise.resolve(createRefusedResult(createRefusal("withdrawn"), false));
    const close = { ...order, reply: { ...order.reply, value: ESC } };
    return formOverrides.override(result, () => this.#injectByKeys(prompt, candidate, close));
  }

  #injectByKeys(prompt: JoinedPrompt, candidate: Candidate, order: InjectionOrder): Promise<InjectionResult> {
    const { reply, gate, halt: revoked } = order;
    const epoch = prompt.drawn?.epoch ?? -1;
    // It counts as no longer open, so that the current prompt is raised at once.
    const { pending } = this.#options.detector;
    if (this.#options.detector.isStale(epoch) || (pending && !looksAsShown(pending)))
      return Promise.resolve(createRefusedResult(createRefusal("screen_moved"), false));
    const isCurrent = (): boolean => this.#options.detector.isCurrent(epoch);
    const { foregroundGroup: raisedGroup, provenReaders } = prompt;
    const { adapter, detector, signals, terminal } = this.#options;
    const onLine = needsReader(adapter, detector, provenReaders);
    const mode = terminal.readInputMode();
    // A program that took a key and works on gives the terminal its line mode back.
    const isToolReading = (): boolean =>
      signals.isRead(provenReaders) && terminal.readInputMode()?.canonical === mode?.canonical;
    return injectAnswer(this.#port, candidate, reply, gate, {
      raisedGroup,
      isCurrent,
      ...(onLine && { isToolReading }),
      revoked,
      onBusy: this.#onBusy,
    });
  }

  #answerByRequest(
    prompt: JoinedPrompt,
    { by: route, result }: Exclude<AnswerRouting, { by: "keys" }>,
    { gate, halt: revoked }: InjectionOrder,
  ): Promise<InjectionResult> {
    const { typedKeys, signals } = this.#options;
    const waiting = this.#options.prompts.findWaitingRequest(prompt);
    if (!waiting) return Promise.resolve(createRefusedResult(createRefusal("withdrawn"), false));
    const dialog = prompt.drawn?.candidate ?? this.#findDialog(prompt);
    const { fingerprint } = prompt.event;
    const onDelivered = (): void => this.#onDelivered(prompt, dialog);
    return answerRequest(this.#port, { path: waiting.path, route, result, fingerprint, dialog }, gate, {
      hasMovedOnSince: (instant) => signals.hasMovedOnSince(instant),
      wasTypedAtDialog: (withinMs) => typedKeys.hasCommitted(prompt, withinMs),
      mayBeAnsweredLocally: () => prompt.isTyped || typedKeys.hasActed(prompt),
      onDelivered,
      revoked,
      onBusy: this.#onBusy,
    });
  }

  readonly #onBusy = (busy: boolean, touched: boolean): void => {
    const { keys } = this.#options;
    if (busy) keys.hold();
    else keys.release(touched);
  };

  #onOurKeys(bytes: Uint8Array): void {
    const { detector, signals, sideChannel } = this.#options;
    signals.onKeys();
    sideChannel?.formOverrides?.onOurKey();
    if (detector.pending && hasCommittingKey(bytes, detector.pending.candidate.committingKeys))
      detector.onCommitted();
  }

  /** Finds the dialog of a request that is drawn, but was not still for long enough to be detected before a quick answer. */
  #findDialog({ waiting }: JoinedPrompt): Candidate | null {
    const { detector, prompts } = this.#options;
    const shown = prompts.drawnPrompt === null && waiting ? detector.detectNow() : null;
    const isRead = shown !== null && shown.promptType !== "unknown";
    return isRead && waiting?.request.matchesDialog?.(shown) ? shown : null;
  }

  /** Called before the tool can draw, so that its closing dialog is not raised again. */
  #onDelivered(prompt: JoinedPrompt, dialog: Candidate | null): void {
    const { detector, prompts } = this.#options;
    prompts.noteAnswered(prompt);
    if (dialog) detector.onRequestSettled(dialog, prompts.hasRequestFor(dialog));
  }
}

/** A key after which the screen may still wait for another one. */
function isMovingKey(value: string): boolean {
  return value !== ENTER_KEY && value !== ESC && !value.startsWith(TEXT_PREFIX);
}

function hasMovedUnread({ event }: JoinedPrompt, result: InjectionResult): boolean {
  return (
    event.promptType === "unknown" && result.kind === "refused" && result.rejection.code === "screen_moved"
  );
}

/** A background that moved says which row a key would take, though no text changed: people saw another one. */
function looksAsShown({ raised, candidate }: Pending): boolean {
  return candidate.promptType !== "unknown" || raised.looks === candidate.looks;
}

/** Whether it is a dialog that no rule can read, but whose fields the tool has reported. */
function isForm({ event, drawn, stampedBy }: JoinedPrompt): boolean {
  return (
    stampedBy === "screen" && drawn?.candidate.promptType === "unknown" && event.promptType !== "unknown"
  );
}

/** Whether the chosen rows still have their labels: a long list may have been scrolled since people saw it. */
function showsChosen(shown: Candidate, now: Candidate, { value }: Reply): boolean {
  if (shown.torn === undefined) return true;
  return value.split(",").every((part) => {
    const [before, after] = [shown.choices[Number(part) - 1], now.choices[Number(part) - 1]];
    return before === undefined || before.label === after?.label;
  });
}
