/** OpenAI's chat completions: opencode, qwen and copilot speak it to any provider. */
import type { MessagesRequest, RequestMessage } from "./conversation.js";
import type { Step, ToolCall } from "./script.js";
import type { Protocol, WriteOptions } from "./protocol.js";
import { beginStream, sendData, streamText, writeJson } from "./stream.js";

interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
  readonly tool_call_id?: string;
}

interface ChatRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

const USAGE = { prompt_tokens: 1200, completion_tokens: 42, total_tokens: 1242 };

export const chat: Protocol = {
  path: /\/chat\/completions$/,
  read(body): MessagesRequest {
    const { messages = [], tools = [] } = body as ChatRequest;
    const named = tools.flatMap(({ function: tool }) => (tool ? [{ name: tool.name }] : []));
    return { messages: groupResults(messages), tools: named };
  },
  async write(response, step, options) {
    if (step.error) writeError(response, step.error);
    else if ((options.body as ChatRequest).stream) await writeStream(response, step, options);
    else {
      const message = { role: "assistant", content: step.text ?? null, ...makeCalls(step, options) };
      const choice = { index: 0, message, finish_reason: readReason(step) };
      const kind = { object: "chat.completion", choices: [choice], usage: USAGE };
      writeJson(response, 200, { ...makeBase(options), ...kind });
    }
  },
};

function plain(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("\n");
}

/** The results of one round of calls are one message, as scripts count them. */
function groupResults(messages: readonly ChatMessage[]): RequestMessage[] {
  const grouped: { role: string; content: { type: string; tool_use_id?: string; content: string }[] }[] = [];
  const read: RequestMessage[] = [];
  for (const [index, { role, content, tool_call_id: id = "" }] of messages.entries()) {
    if (role !== "tool") {
      read.push({ role, content: plain(content) });
      continue;
    }
    const result = { type: "tool_result", tool_use_id: id, content: plain(content) };
    const open = messages[index - 1]?.role === "tool" ? grouped.at(-1) : undefined;
    if (open) open.content.push(result);
    else {
      const message = { role: "user", content: [result] };
      grouped.push(message);
      read.push(message);
    }
  }
  return read;
}

function writeError(response: Parameters<Protocol["write"]>[0], error: NonNullable<Step["error"]>): void {
  const { status, type, message } = error;
  writeJson(response, status, { error: { message, type, code: type } });
}

function makeBase({ body, newId }: WriteOptions): object {
  return { id: newId("chatcmpl"), created: 0, model: (body as ChatRequest).model ?? "fake" };
}

function makeCalls({ tools = [] }: Step, { newId }: WriteOptions): object {
  const call = ({ name, input }: ToolCall, index: number): object => ({
    index,
    id: newId("call"),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  });
  return tools.length > 0 ? { tool_calls: tools.map(call) } : {};
}

function readReason({ tools = [] }: Step): string {
  return tools.length > 0 ? "tool_calls" : "stop";
}

async function writeStream(
  response: Parameters<Protocol["write"]>[0],
  step: Step,
  options: WriteOptions,
): Promise<void> {
  const base = { ...makeBase(options), object: "chat.completion.chunk" };
  const send = (delta: object, reason: string | null = null): void =>
    sendData(response, { ...base, choices: [{ index: 0, delta, finish_reason: reason }] });
  beginStream(response);
  send({ role: "assistant", content: "" });
  for await (const piece of streamText(response, step)) send({ content: piece });
  if (step.hold) await options.released();
  if (step.tools?.length) send(makeCalls(step, options));
  send({}, readReason(step));
  sendData(response, { ...base, choices: [], usage: USAGE });
  sendData(response, "[DONE]");
  response.end();
}
