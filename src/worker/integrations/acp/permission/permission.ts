/** `session/request_permission` → what people are asked. Answered by the ids that were offered, never by ids of our own. Pure. */
import { CHOICE_INTENTS, type Choice, type ChoiceIntent } from "../../../../model/prompt.js";
import { createRejection } from "../../../../model/answer/rejection.js";
import { toArray, isObject, toText, type Json } from "../../../../model/data/json.js";
import { requestedQuestion, type PendingRequest } from "../../../prompts/pending-request.js";
import { describeCall, mergeToolCall, type ToolCall } from "../../../runtimes/protocol/tool-call.js";

export const PERMISSION_METHOD = "session/request_permission";
export const CANCELLED = { outcome: { outcome: "cancelled" } };
/** More rows than anybody can tell apart; no agent offers a tenth of it. */
const OPTIONS_MAX = 99;

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly intent: ChoiceIntent;
}

export interface PermissionRequest {
  readonly options: readonly PermissionOption[];
  readonly title: string;
  /** All that has to be judged, as text. */
  readonly text: string;
  /** Null where the request is about no call of a tool. */
  readonly call: ToolCall | null;
  /** A plan's own question: a call that leaves the mode in which the agent only plans. */
  readonly isPlan: boolean;
}

/** `isPlanTitle`: see `AgentRequests`. Null when it cannot be shown and answered: no options, or two that the answer could not tell apart. */
export function readPermissionRequest(
  params: Json,
  known: (toolCallId: string) => ToolCall | undefined,
  isPlanTitle: (title: string) => boolean = () => false,
): PermissionRequest | null {
  const options = toArray(params["options"]).map(readOption);
  const whole = options.filter((option) => option !== null);
  const ids = new Set(whole.map(({ optionId }) => optionId));
  if (whole.length === 0 || whole.length > OPTIONS_MAX) return null;
  if (whole.length < options.length || ids.size < whole.length) return null;
  const subject = isObject(params["subject"]) ? params["subject"] : {};
  const report = [params["toolCall"], subject["toolCall"]].find(isObject);
  const id = report ? toText(report["toolCallId"]) : null;
  const call = report ? mergeToolCall(report, id === null ? undefined : known(id)) : null;
  const own = call?.title ?? "";
  const title = readTitle(params["title"]) ?? call?.title ?? `Allow ${call?.name ?? call?.kind ?? "this"}?`;
  const said = [
    toText(params["description"]) ?? "",
    // What the call is called is what it does; the request's own title may say anything.
    title === own ? "" : own,
    commandText(subject),
    call ? describeCall(call) : "",
  ];
  const isPlan = call?.kind === "switch_mode" || isPlanTitle(title);
  return { options: whole, title, text: said.filter((part) => part !== "").join("\n\n"), call, isPlan };
}

function readTitle(given: unknown): string | null {
  const text = toText(given);
  return text === null || text.trim() === "" ? null : text;
}

function readOption(given: unknown): PermissionOption | null {
  if (!isObject(given)) return null;
  const [optionId, name, kind] = [given["optionId"], given["name"], given["kind"]].map(toText);
  if (typeof optionId !== "string" || typeof name !== "string" || name.trim() === "") return null;
  return { optionId, name, intent: CHOICE_INTENTS.find((intent) => intent === kind) ?? "other" };
}

/** Version 2 may ask about a command that belongs to no call. */
function commandText(subject: Json): string {
  const [command, cwd] = [toText(subject["command"]), toText(subject["cwd"])];
  if (command === null) return "";
  return cwd === null ? command : `${command}\nin ${cwd}`;
}

export function createPermissionRequest(request: PermissionRequest, cwd: string): PendingRequest {
  const { options, title, text, call, isPlan } = request;
  const refusal = options.find(({ intent }) => intent === "reject_once");
  const choices = options.map(({ name, intent }): Choice => ({ label: name, intent }));
  const asked = call && {
    tool: call.name ?? call.kind ?? call.title ?? "tool",
    input: call.input,
    cwd,
  };
  const question = requestedQuestion({
    rule: PERMISSION_METHOD,
    question: title,
    choices,
    promptType: "multiple_choice",
    constraints: { minChoice: 1, maxChoice: choices.length },
    safetyClass: isPlan ? "plan" : "permission",
    text,
    call: asked,
  });
  // Of a plan that only stands in a file of the agent's, people see where.
  const cut = isPlan && text === "" ? { missing: "the plan" } : null;
  return {
    question: { ...question, content: { ...question.content, cut } },
    answer: ({ value }) => {
      const option = options[Number(value) - 1];
      return option ? { result: selectOption(option) } : createRejection("option_unknown");
    },
    cancelled: CANCELLED,
    refused: refusal ? selectOption(refusal) : CANCELLED,
  };
}

export function selectOption({ optionId }: Pick<PermissionOption, "optionId">) {
  return { outcome: { outcome: "selected", optionId } };
}
