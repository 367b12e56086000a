/** OpenAI's responses: codex speaks it. In its code mode it offers one tool, `exec`, whose input is a program that calls the others. */
import type { ServerResponse } from "node:http";
import type { MessagesRequest, RequestMessage } from "./conversation.js";
import type { Step, ToolCall } from "./script.js";
import type { Protocol, WriteOptions } from "./protocol.js";
import { beginStream, sendData, streamText, writeJson } from "./stream.js";

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly call_id?: string;
  readonly output?: unknown;
  readonly tools?: readonly NamedTool[];
}

interface NamedTool {
  readonly name?: string;
  readonly type?: string;
  readonly tools?: readonly NamedTool[];
}

interface ResponsesRequest {
  readonly input?: string | readonly Item[];
  readonly tools?: readonly NamedTool[];
}

const USAGE = {
  input_tokens: 1200,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 42,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1242,
};

export const responses: Protocol = {
  path: /\/responses$/,
  read(body): MessagesRequest {
    return { messages: groupResults(listItems(body)), tools: listTools(body) };
  },
  async write(response, step, options) {
    if (step.error) {
      const { status, type, message } = step.error;
      writeJson(response, status, { error: { message, type, code: type } });
    } else await writeStream(response, step, options);
  },
};

function listItems(body: unknown): readonly Item[] {
  const { input = [] } = body as ResponsesRequest;
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

/** Tools of code mode are announced in the conversation. */
function listTools(body: unknown): { name: string }[] {
  const { tools = [] } = body as ResponsesRequest;
  const added = listItems(body).flatMap((item) =>
    item.type === "additional_tools" ? (item.tools ?? []) : [],
  );
  return [...tools, ...added].flatMap(({ name, type }) => [{ name: name ?? type ?? "" }]);
}

/** In code mode: the tools that are called directly. All others are called by the program of `exec`. */
function directTools(body: unknown): readonly string[] | null {
  const added = listItems(body).flatMap((item) =>
    item.type === "additional_tools" ? (item.tools ?? []) : [],
  );
  const inner = added.find(({ name }) => name === "functions")?.tools ?? [];
  const hasCodeMode = inner.some(({ name, type }) => name === "exec" && type === "custom");
  return hasCodeMode ? inner.flatMap(({ name }) => name ?? []) : null;
}

function plain(content: Item["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("\n");
}

/** The results of one round of calls are one message, as scripts count them. */
function groupResults(items: readonly Item[]): RequestMessage[] {
  const read: { role: string; content: string | { type: string; tool_use_id: string; content: string }[] }[] =
    [];
  let open = false;
  for (const { type = "message", role = "user", content, call_id: id = "", output } of items) {
    const isResult = type.endsWith("_output");
    if (type === "message") read.push({ role, content: plain(content) });
    if (isResult) {
      const text = typeof output === "string" ? output : JSON.stringify(output);
      const result = { type: "tool_result", tool_use_id: id, content: text };
      const last = read.at(-1);
      if (open && last && typeof last.content !== "string") last.content.push(result);
      else read.push({ role: "user", content: [result] });
    }
    open = isResult;
  }
  return read;
}

async function writeStream(response: ServerResponse, step: Step, options: WriteOptions): Promise<void> {
  const id = options.newId("resp");
  const send = (type: string, data: object): void => sendData(response, { type, ...data }, type);
  beginStream(response);
  send("response.created", { response: { id, object: "response", status: "in_progress", output: [] } });
  const output: object[] = [];
  if (step.text !== undefined) output.push(await writeMessage(response, step, { ...options, send }));
  if (step.hold) await options.released();
  for (const call of step.tools ?? []) {
    const item = makeItem(call, options);
    const index = { output_index: output.length };
    send("response.output_item.added", { ...index, item: { ...item, status: "in_progress" } });
    send("response.output_item.done", { ...index, item });
    output.push(item);
  }
  const finished = { id, object: "response", status: "completed", output, usage: USAGE };
  send("response.completed", { response: finished });
  response.end();
}

type Send = (type: string, data: object) => void;

async function writeMessage(
  response: ServerResponse,
  step: Step,
  { newId, send }: WriteOptions & { send: Send },
): Promise<object> {
  const id = newId("msg");
  const place = { item_id: id, output_index: 0, content_index: 0 };
  const item = { type: "message", id, role: "assistant" };
  send("response.output_item.added", {
    output_index: 0,
    item: { ...item, status: "in_progress", content: [] },
  });
  send("response.content_part.added", { ...place, part: { type: "output_text", text: "" } });
  for await (const delta of streamText(response, step))
    send("response.output_text.delta", { ...place, delta });
  const content = [{ type: "output_text", text: step.text ?? "", annotations: [] }];
  const done = { ...item, status: "completed", content };
  send("response.output_item.done", { output_index: 0, item: done });
  return done;
}

/** A patch is text, everything else JSON; in code mode both are an argument of a program. */
function makeItem({ name, input }: ToolCall, { body, newId }: WriteOptions): object {
  const ids = { id: newId("item"), call_id: newId("call"), status: "completed" };
  const patch = name === "apply_patch" && "input" in input ? String(input.input) : null;
  const direct = directTools(body);
  const space = direct === null ? {} : { namespace: "functions" };
  if (direct?.includes(name) === false) {
    const argument = JSON.stringify(patch ?? input);
    const program = `const r = await tools.${name}(${argument}); text(typeof r === "string" ? r : JSON.stringify(r));`;
    return { type: "custom_tool_call", ...ids, ...space, name: "exec", input: program };
  }
  if (patch !== null) return { type: "custom_tool_call", ...ids, ...space, name, input: patch };
  return { type: "function_call", ...ids, ...space, name, arguments: JSON.stringify(input) };
}
