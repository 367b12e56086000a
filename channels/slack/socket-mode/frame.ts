/** Classifies socket messages before bolt sees them, because a malformed one would crash the process. Pure. */

export type SlackFrame =
  | { readonly kind: "hello"; readonly connections: number }
  | { readonly kind: "disconnect"; readonly reason: string }
  | { readonly kind: "envelope"; readonly type: string }
  /** It cannot be acknowledged. */
  | { readonly kind: "noise"; readonly what: string };

const ENVELOPES: readonly string[] = ["events_api", "interactive", "slash_commands"];

/** Bolt's client emits each event under its own name, so these names of its own are reserved. */
const RESERVED =
  /^(?:connect|reconnect|disconnect|authenticated|close|error|ws_message|slack_event|outgoing_message)/;

export function readFrame(data: unknown, isBinary: boolean): SlackFrame {
  if (isBinary || typeof data !== "string") return createNoise("a binary frame");
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    return createNoise("no JSON");
  }
  if (!isObject(message)) return createNoise("no object");
  const { type } = message;
  if (type === "hello") return { kind: "hello", connections: countConnections(message) };
  if (type === "disconnect") return { kind: "disconnect", reason: toWord(message["reason"]) };
  if (typeof type !== "string" || !ENVELOPES.includes(type)) return createNoise("an unknown type");
  if (typeof message["envelope_id"] !== "string" || !isObject(message["payload"]))
    return createNoise("no envelope");
  if (type === "events_api" && !hasEvent(message["payload"])) return createNoise("no event");
  return { kind: "envelope", type };
}

function countConnections(hello: Readonly<Record<string, unknown>>): number {
  const count = hello["num_connections"];
  return typeof count === "number" && Number.isSafeInteger(count) ? count : 1;
}

function hasEvent(payload: Readonly<Record<string, unknown>>): boolean {
  const event = payload["event"];
  if (!isObject(event)) return false;
  return (
    typeof event["type"] === "string" &&
    /^[a-z][a-z0-9_.]{0,63}$/.test(event["type"]) &&
    !RESERVED.test(event["type"])
  );
}

function toWord(value: unknown): string {
  return typeof value === "string" && /^[a-z_]{1,64}$/.test(value) ? value : "unknown";
}

function createNoise(what: string): SlackFrame {
  return { kind: "noise", what };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
