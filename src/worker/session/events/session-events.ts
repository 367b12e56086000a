/** The events of a session, as programs read them: `run --events` and `exec --json`. Pure. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { PromptId } from "../../../model/ids.js";
import type { AdapterEvent, InjectionResult } from "../../../sdk/adapter.js";

export type SessionEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Of a prompt only what the hub gets, too: what looks like a secret is redacted before. */
export function describePrompt(event: PromptEvent) {
  const { promptId, promptType, safetyClass, excerpt, content, choices, constraints } = event;
  return {
    prompt_id: promptId,
    prompt_type: promptType,
    safety_class: safetyClass,
    question: excerpt,
    content: content.text,
    cut: content.cut !== null,
    hidden_characters: content.hidden?.characters ?? 0,
    maybe_drawn_over: content.hidden?.opened ?? false,
    choices: choices.map(({ label, intent }, at) => ({ index: at + 1, label, intent })),
    ...(constraints.form && { form: constraints.form }),
  };
}

export function describeAdapterEvent(event: AdapterEvent): SessionEvent {
  switch (event.kind) {
    case "raised":
      return { type: "asked", ...describePrompt(event.event) };
    case "withdrawn":
      return { type: "withdrawn", prompt_id: event.promptId, reason: event.reason };
    case "noted":
      return { type: "noted", prompt_id: event.promptId, note: event.note };
    case "state":
      return { type: "state", state: event.state };
  }
}

/** An answer from elsewhere. One that was refused did nothing: its prompt stays open, or is withdrawn. */
export function describeInjection(promptId: PromptId, result: InjectionResult): SessionEvent | null {
  if (result.kind === "refused") return null;
  const { outcome, evidence } = result.receipt;
  return { type: "answered", prompt_id: promptId, outcome, evidence };
}
