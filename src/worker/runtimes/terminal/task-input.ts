/** Types the next task into the tool's input box: only while the tool waits for it and the box is proved empty. */
import { createHash } from "node:crypto";
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { findKey } from "../../adapter-format/key-names.js";
import { createRefusal } from "../../../model/answer/refusal.js";
import type { InjectionGate, InjectionResult } from "../../../sdk/adapter.js";
import type { BoxDraft, TaskInput } from "../../../sdk/session-powers.js";
import type { View } from "../../../sdk/view.js";
import type { TerminalPort } from "../../answer/terminal-port.js";
import { injectPlanned } from "../../answer/inject.js";
import { planTask, type ClearPermission } from "../../answer/plan/text-plan.js";
import type { RunExclusive } from "../../answer/run-exclusive.js";
import { createRefusedResult } from "../../prompts/refusal.js";
import { findComposer, isCommand, readDraft } from "../../detection/composer.js";
import { detectState } from "../../detection/states.js";
import { openDriver, type DriverParts } from "./open-driver.js";

export interface TaskInputOptions extends DriverParts {
  readonly runExclusive: RunExclusive;
}

export class TerminalTaskInput implements TaskInput {
  readonly #options: TaskInputOptions;
  readonly #port: TerminalPort;

  constructor(options: TaskInputOptions) {
    this.#options = options;
    // Above a dialog the person's own text may be drawn like the input box, so no Enter is written there.
    const detect = (view: View) => (this.#isAsking() ? null : findComposer(options.adapter, view));
    this.#port = openDriver(options, { detect });
  }

  submit(
    text: string,
    gate: InjectionGate,
    { halt, clears }: { readonly halt?: AbortSignal; readonly clears?: string | undefined } = {},
  ): Promise<InjectionResult> {
    return this.#options.runExclusive(() => this.#submitNow(text, gate, { revoked: halt, clears }));
  }

  draft(): BoxDraft | null {
    const { adapter, screen } = this.#options;
    const box = this.#isIdle() ? findComposer(adapter, screen.view()) : null;
    if (box === null || !adapter.composer?.clear || !box.field?.text) return null;
    return { text: readDraft(adapter.composer, box), hash: hashDraft(box.field.text) };
  }

  async #submitNow(
    text: string,
    gate: InjectionGate,
    { revoked, clears }: { readonly revoked: AbortSignal | undefined; readonly clears: string | undefined },
  ): Promise<InjectionResult> {
    const { terminal, adapter, screen, keys, foregroundGroup } = this.#options;
    if (!terminal.alive) return createRefusedResult(createRefusal("session_gone"), false);
    if (adapter.composer === null) return createRefusedResult(createRefusal("no_composer"), false);
    if (isCommand(adapter, text)) return createRefusedResult(createRefusal("composer_command"), false);
    if (!this.#isIdle()) return createRefusedResult(createRefusal("not_idle"), false);
    const composer = findComposer(adapter, screen.view());
    if (composer === null) return createRefusedResult(createRefusal("not_idle"), false);
    const clearing = findClearing(adapter, composer, clears);
    return injectPlanned(this.#port, composer, (live, view) => planTask(live, view, text, clearing), gate, {
      raisedGroup: foregroundGroup(),
      revoked,
      isCurrent: () => this.#isIdle(),
      onBusy: (busy, touched) => (busy ? keys.hold() : keys.release(touched)),
    });
  }

  #isIdle(): boolean {
    const { detector, adapter, screen } = this.#options;
    if (this.#isAsking() || detector.toolState !== "idle") return false;
    // The tool's own reports usually come late: a picture of work counts at once.
    return detectState(adapter, screen.view(), {}) === "idle";
  }

  #isAsking(): boolean {
    const { prompts, detector } = this.#options;
    return prompts.isAsking || detector.detectNow() !== null;
  }
}

/** A person's leave holds for exactly the draft that they were shown. */
function findClearing(
  { composer }: Pick<CompiledAdapter, "composer">,
  { field }: Candidate,
  clears: string | undefined,
): ClearPermission | null {
  if (!composer?.clear || !field?.text || clears !== hashDraft(field.text)) return null;
  return { key: findKey(composer.clear), field: field.text };
}

function hashDraft(field: string): string {
  return createHash("sha256").update(field).digest("hex");
}
