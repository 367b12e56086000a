/** A reply that goes wrong on its way, whatever service it is of: what was asked for happened. */
import type { Socket } from "node:net";

export type BrokenReply =
  /** Its first bytes, then the end of the connection or silence. A negative number counts from its end. */
  | { readonly breakAt: number; readonly then: "close" | "silence" }
  /** These bytes in its place, and the end of the connection. */
  | { readonly raw: string | Buffer };

export function isBrokenReply(fault: unknown): fault is BrokenReply {
  return fault !== null && typeof fault === "object" && ("breakAt" in fault || "raw" in fault);
}

export function replyBytes(status: number, type: string, body: string): Buffer {
  const head = [
    `HTTP/1.1 ${status} Status`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

export function sendBroken(socket: Socket, whole: Buffer, fault: BrokenReply): void {
  if ("raw" in fault) socket.end(fault.raw);
  else {
    socket.write(whole.subarray(0, fault.breakAt < 0 ? whole.length + fault.breakAt : fault.breakAt));
    if (fault.then === "close") socket.end();
  }
}
