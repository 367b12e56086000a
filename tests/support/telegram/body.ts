/** Parameters of a request: query, JSON, form or multipart, as the service takes them all. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.js";

export interface UploadedFile {
  readonly name: string;
  readonly data: Buffer;
}

export type Parameters = Readonly<Record<string, unknown>>;

/** The service takes files up to 50 MB. */
const BODY_BYTES_MAX = 50 * 1024 * 1024;

export async function readParameters(request: IncomingMessage, url: URL): Promise<Parameters> {
  const body = await readBody(request);
  const type = request.headers["content-type"] ?? "";
  return { ...Object.fromEntries(url.searchParams), ...parseBody(body, type) };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Refusal(413, "Request Entity Too Large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseBody(body: Buffer, type: string): Parameters {
  if (body.length === 0) return {};
  if (type.startsWith("application/json")) return parseJson(body.toString("utf8"));
  if (type.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(type)?.[1];
  if (boundary !== undefined) return parseMultipart(body, boundary);
  return {};
}

function parseJson(text: string): Parameters {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Parameters;
  } catch {
    // Refused below, like every other body that is no object.
  }
  throw new Refusal(400, "Bad Request: can't parse request: JSON object expected");
}

function parseMultipart(body: Buffer, boundary: string): Parameters {
  const fields: Record<string, unknown> = {};
  for (const part of findParts(body, boundary)) {
    const end = part.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const head = part.subarray(0, end).toString("utf8");
    const data = part.subarray(end + 4);
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    const file = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    fields[name] = file === undefined ? data.toString("utf8") : { name: file, data: Buffer.from(data) };
  }
  return fields;
}

function* findParts(body: Buffer, boundary: string): Generator<Buffer> {
  const line = Buffer.from(`--${boundary}`);
  let at = body.indexOf(line);
  while (at >= 0) {
    const from = at + line.length;
    const next = body.indexOf(line, from);
    if (next < 0) return;
    // Each part stands between two line ends.
    yield body.subarray(from + 2, next - 2);
    at = next;
  }
}
