/** Writes one step as the API would: a server-sent event stream, a JSON message, or an error. */
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { ReplyBlock } from "./protocol.js";
import type { Step } from "./script.js";

const USAGE = { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const JSON_PIECE_CHARS = 60;
const TEXT_PIECE_CHARS = 40;

export interface ReplyOptions {
  readonly model: string;
  readonly stream: boolean;
  readonly newId: (prefix: string) => string;
  /** Settles when the test lets go of a held stream. */
  readonly released: () => Promise<void>;
}

export async function writeReply(response: ServerResponse, step: Step, options: ReplyOptions): Promise<void> {
  const blocks = makeBlocks(step, options);
  if (step.error) writeError(response, step.error);
  else if (options.stream) await writeStream(response, blocks, step, options);
  else writeJson(response, 200, makeMessage(blocks, options));
}

export function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function writeError(response: ServerResponse, error: NonNullable<Step["error"]>): void {
  const { status, type, message } = error;
  writeJson(response, status, { type: "error", error: { type, message } });
}

function makeBlocks(step: Step, { newId }: ReplyOptions): ReplyBlock[] {
  const text: ReplyBlock[] = step.text === undefined ? [] : [{ type: "text", text: step.text }];
  const tools = (step.tools ?? []).map((tool) => ({
    type: "tool_use" as const,
    id: newId("toolu"),
    ...tool,
  }));
  return [...text, ...tools];
}

function stopReason(blocks: readonly ReplyBlock[]): string {
  return blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function makeMessage(content: readonly ReplyBlock[], { model, newId }: ReplyOptions): object {
  const usage = { ...USAGE, output_tokens: 42 };
  const stop = { stop_reason: stopReason(content), stop_sequence: null };
  return { id: newId("msg"), type: "message", role: "assistant", model, content, ...stop, usage };
}

async function writeStream(
  response: ServerResponse,
  blocks: readonly ReplyBlock[],
  step: Step,
  options: ReplyOptions,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  sendEvent(response, "message_start", { message: { ...makeMessage([], options), stop_reason: null } });
  for (const [index, block] of blocks.entries()) await writeBlock(response, index, block, step);
  if (step.hold) await options.released();
  const delta = { stop_reason: stopReason(blocks), stop_sequence: null };
  sendEvent(response, "message_delta", { delta, usage: { output_tokens: 42 } });
  sendEvent(response, "message_stop", {});
  response.end();
}

async function writeBlock(
  response: ServerResponse,
  index: number,
  block: ReplyBlock,
  step: Step,
): Promise<void> {
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  sendEvent(response, "content_block_start", { index, content_block: empty });
  for (const delta of makeDeltas(block, step)) {
    // A tool that was interrupted hangs up; the rest is for nobody.
    if (response.destroyed) return;
    sendEvent(response, "content_block_delta", { index, delta });
    if (step.pace) await pause(step.pace.everyMs);
  }
  sendEvent(response, "content_block_stop", { index });
}

function makeDeltas(block: ReplyBlock, step: Step): object[] {
  if (block.type === "text") {
    const chars = step.pace?.chars ?? TEXT_PIECE_CHARS;
    return cutPieces(block.text, chars).map((text) => ({ type: "text_delta", text }));
  }
  const json = JSON.stringify(block.input);
  return cutPieces(json, JSON_PIECE_CHARS).map((piece) => ({
    type: "input_json_delta",
    partial_json: piece,
  }));
}

function cutPieces(text: string, chars: number): string[] {
  return Array.from({ length: Math.ceil(text.length / chars) }, (_, i) =>
    text.slice(i * chars, (i + 1) * chars),
  );
}

function sendEvent(response: ServerResponse, type: string, data: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}
