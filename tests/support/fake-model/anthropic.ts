/** Anthropic's Messages API: claude speaks it. */
import type { ServerResponse } from "node:http";
import type { MessagesRequest } from "./conversation.js";
import type { Protocol, WriteOptions } from "./protocol.js";
import type { Step } from "./script.js";
import { beginStream, cutPieces, sendData, streamText, writeJson } from "./stream.js";

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

const USAGE = { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const JSON_PIECE_CHARS = 60;

export const anthropic: Protocol = {
  path: /\/v1\/messages$/,
  title: '{"isNewTopic": true, "title": "A session"}',
  read(body): MessagesRequest {
    return { messages: [], ...(body as Partial<MessagesRequest>) };
  },
  async write(response, step, options) {
    const blocks = makeBlocks(step, options);
    if (step.error) {
      const { status, type, message } = step.error;
      writeJson(response, status, { type: "error", error: { type, message } });
    } else if ((options.body as { stream?: boolean }).stream)
      await writeStream(response, blocks, step, options);
    else writeJson(response, 200, makeMessage(blocks, options));
  },
};

function makeBlocks({ text, tools = [] }: Step, { newId }: WriteOptions): Block[] {
  const calls = tools.map((tool) => ({ type: "tool_use" as const, id: newId("toolu"), ...tool }));
  return [...(text === undefined ? [] : [{ type: "text" as const, text }]), ...calls];
}

function stopReason(blocks: readonly Block[]): string {
  return blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function makeMessage(content: readonly Block[], { body, newId }: WriteOptions): object {
  const { model = "claude-fake" } = body as { model?: string };
  const usage = { ...USAGE, output_tokens: 42 };
  const stop = { stop_reason: stopReason(content), stop_sequence: null };
  return { id: newId("msg"), type: "message", role: "assistant", model, content, ...stop, usage };
}

async function writeStream(
  response: ServerResponse,
  blocks: readonly Block[],
  step: Step,
  options: WriteOptions,
): Promise<void> {
  const send = (type: string, data: object): void => sendData(response, { type, ...data }, type);
  beginStream(response);
  send("message_start", { message: { ...makeMessage([], options), stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
    send("content_block_start", { index, content_block: empty });
    if (block.type === "text")
      for await (const text of streamText(response, step))
        send("content_block_delta", { index, delta: { type: "text_delta", text } });
    else
      for (const partial of cutPieces(JSON.stringify(block.input), JSON_PIECE_CHARS))
        send("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: partial } });
    send("content_block_stop", { index });
  }
  if (step.hold) await options.released();
  const delta = { stop_reason: stopReason(blocks), stop_sequence: null };
  send("message_delta", { delta, usage: { output_tokens: 42 } });
  send("message_stop", {});
  response.end();
}
