/** Requests as they travel: whose, what for, and with what. */
import type { IncomingMessage } from "node:http";
import type { Parameters } from "./methods.js";

/** The method of an API call, or which other address it is. */
export function readRoute(pathname: string): string {
  if (pathname.startsWith("/upload/v1/")) return "upload";
  if (pathname.startsWith("/actions/")) return "response";
  return pathname.replace(/^\/api\//, "");
}

export function readParameters(request: IncomingMessage, body: Buffer): Parameters {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
  const json = type.startsWith("application/json") ? parsed(body) : null;
  return json !== null && typeof json === "object" ? (json as Parameters) : {};
}

export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function createToken(request: IncomingMessage): string {
  return (request.headers.authorization ?? "").replace(/^Bearer /, "");
}
