/** Turns `session/request_permission` into a prompt. Answers use only the option ids of the request. Pure. */
import { CHOICE_INTENTS, type ChoiceIntent } from "../../../../model/prompt.js";
import { isObject, toArray, toObject, toText, type Json } from "../../../../model/data/json.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";
import { describeCall, mergeToolCall, type ToolCall } from "../../../runtimes/protocol/tool-call.js";
import { createDecisionRequest } from "../../decision-request.js";

export const PERMISSION_METHOD = "session/request_permission";
export const CANCELLED = { outcome: { outcome: "cancelled" } };
const OPTIONS_MAX = 99;

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly intent: ChoiceIntent;
}

export interface PermissionRequest {
  readonly options: readonly PermissionOption[];
  readonly title: string;
  readonly text: string;
  readonly call: ToolCall | null;
  /** It leaves the mode in which the agent only plans. */
  readonly isPlan: boolean;
  /** A command that the request names besides its call. */
  readonly command: BesideCommand | null;
}

interface BesideCommand {
  readonly command: string;
  readonly cwd: string | null;
}

/** `changed`: the call, if the agent has changed it since. Null when the request has no options, or options with equal ids. */
export function readPermissionRequest(
  params: Json,
  known: (toolCallId: string) => ToolCall | undefined,
  isPlanTitle: (title: string) => boolean = () => false,
  changed: ToolCall | null = null,
): PermissionRequest | null {
  const options = toArray(params["options"]).map(readOption);
  const whole = options.filter((option) => option !== null);
  const ids = new Set(whole.map(({ optionId }) => optionId));
  if (whole.length === 0 || whole.length > OPTIONS_MAX) return null;
  if (whole.length < options.length || ids.size < whole.length) return null;
  const command = readCommand(toObject(params["subject"]));
  const report = findReport(params);
  const id = report ? toText(report["toolCallId"]) : null;
  const call = changed ?? (report ? mergeToolCall(report, id === null ? undefined : known(id)) : null);
  const own = call?.title ?? "";
  const title = readTitle(params["title"]) ?? call?.title ?? `Allow ${call?.name ?? call?.kind ?? "this"}?`;
  const lines = [
    toText(params["description"]) ?? "",
    // The request's own title may hide what the call's title says.
    title === own ? "" : own,
    command === null ? "" : formatCommand(command),
    call ? describeCall(call) : "",
  ];
  const isPlan = call?.kind === "switch_mode" || isPlanTitle(title);
  return {
    options: whole,
    title,
    text: lines.filter((part) => part !== "").join("\n\n"),
    call,
    isPlan,
    command,
  };
}

/** Version 1 names the call beside the options, version 2 as the subject. */
function findReport(params: Json): Json | undefined {
  return [params["toolCall"], toObject(params["subject"])["toolCall"]].find(isObject);
}

function readTitle(given: unknown): string | null {
  const text = toText(given);
  return text === null || text.trim() === "" ? null : text;
}

function readOption(given: unknown): PermissionOption | null {
  if (!isObject(given)) return null;
  const [optionId, name, kind] = [given["optionId"], given["name"], given["kind"]].map(toText);
  if (typeof optionId !== "string" || typeof name !== "string" || name.trim() === "") return null;
  const intent = CHOICE_INTENTS.find((known) => known === kind) ?? "other";
  const [verb = "", times = ""] = intent.split("_");
  if (!CONTRARY[verb]?.test(name)) return { optionId, name, intent };
  // The warning comes first, where no button cuts it off. Intent "other" means that only a person can choose it.
  const isOnce = times === "once";
  return { optionId, name: `⚠ ${verb}s ${times}: ${name}`, intent: isOnce ? "other" : intent };
}

/** Names that contradict the kind of their option. */
const CONTRARY: Readonly<Record<string, RegExp>> = {
  allow: /^[^\p{L}]{0,8}(?:no|deny|reject|decline|refuse|cancel)(?!\p{L})/iu,
  reject: /^[^\p{L}]{0,8}(?:yes|allow|approve|accept)(?!\p{L})/iu,
};

function readCommand(subject: Json): BesideCommand | null {
  const [command, cwd] = [toText(subject["command"]), toText(subject["cwd"])];
  return command === null ? null : { command, cwd };
}

function formatCommand({ command, cwd }: BesideCommand): string {
  return cwd === null ? command : `${command}\nin ${cwd}`;
}

/** Adds the command to the arguments, because rules and grants judge by them. */
function addCommand(input: unknown, { command, cwd }: BesideCommand): unknown {
  const fields = isObject(input) ? input : input === undefined || input === null ? {} : { input };
  if (fields["command"] === command) return input;
  const isFirst = !["command", "cmd", "script"].some((name) => name in fields);
  if (!isFirst) return { ...fields, commands: [...toArray(fields["commands"]), command] };
  return { ...(cwd !== null && { cwd }), ...fields, command };
}

export function createPermissionRequest(request: PermissionRequest, cwd: string): PendingRequest {
  const { options, title, text, call, isPlan, command } = request;
  const refusal = options.find(({ intent }) => intent === "reject_once");
  const asked = call && {
    tool: call.name ?? call.kind ?? call.title ?? "tool",
    input: command === null ? call.input : addCommand(call.input, command),
    cwd,
  };
  return createDecisionRequest({
    rule: PERMISSION_METHOD,
    question: title,
    safetyClass: isPlan ? "plan" : "permission",
    text,
    call: asked,
    decisions: options.map((option) => ({
      choice: { label: option.name, intent: option.intent },
      result: selectOption(option),
    })),
    // Such a plan is only in a file of the agent.
    missing: isPlan && text === "" ? "the plan" : null,
    cancelled: CANCELLED,
    refused: refusal ? selectOption(refusal) : CANCELLED,
  });
}

export function selectOption({ optionId }: Pick<PermissionOption, "optionId">) {
  return { outcome: { outcome: "selected", optionId } };
}
