/** What all streaming APIs share: server-sent events, and text that comes in pieces. */
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Step } from "../fake-anthropic/script.js";

const PIECE_CHARS = 40;

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  // Else a stream that is held at once does not look begun.
  response.flushHeaders();
}

export function sendData(response: ServerResponse, data: object | string, event?: string): void {
  if (event !== undefined) response.write(`event: ${event}\n`);
  response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

/** The pieces of a step's text, at its pace; none after the client hung up. */
export async function* streamText(
  response: ServerResponse,
  { text = "", pace }: Step,
): AsyncGenerator<string> {
  const chars = pace?.chars ?? PIECE_CHARS;
  for (let at = 0; at < text.length && !response.destroyed; at += chars) {
    yield text.slice(at, at + chars);
    if (pace) await pause(pace.everyMs);
  }
}
