/** Replies as JSON, or as server-sent events whose text comes in pieces. */
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Step } from "./script.js";

const PIECE_CHARS = 40;

export function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  // Otherwise a stream that is held at once does not seem to begin.
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
  for (const piece of cutPieces(text, pace?.chars ?? PIECE_CHARS)) {
    if (response.destroyed) return;
    yield piece;
    if (pace) await pause(pace.everyMs);
  }
}

export function cutPieces(text: string, chars: number): string[] {
  return Array.from({ length: Math.ceil(text.length / chars) }, (_, at) =>
    text.slice(at * chars, (at + 1) * chars),
  );
}
