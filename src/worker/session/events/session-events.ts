/** Formats the events of a session for programs: `run --events` and `exec --json`. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { PromptId } from "../../../model/ids.js";
import type { AdapterEvent, InjectionResult } from "../../../sdk/adapter.js";

export type SessionEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Contains only fields that the hub gets, too, in which secrets are redacted. */
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

/** Describes an answer from elsewhere. A refused one had no effect: its prompt stays open, or is withdrawn. */
export function describeInjection(promptId: PromptId, result: InjectionResult): SessionEvent | null {
  if (result.kind === "refused") return null;
  const { outcome, evidence } = result.receipt;
  return { type: "answered", prompt_id: promptId, outcome, evidence };
}
