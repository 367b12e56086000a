/**
 * What an agent and we said to each other in one turn, line by line, as a file: recorded from the real agent, scrubbed, played back. Its
 * first line tells what it is about; each line below is a message.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json } from "../../../src/model/data/json.js";
import type { Outcome, Turn } from "./conduct.js";
import { scrubbed, trimmed } from "./scrub.js";
import type { Passed } from "./tap.js";

export interface LineStep {
  readonly by: "us" | "agent";
  readonly message: Json;
}

/** What we ask only to be heard, whenever we have answered: it stands in no order, and is not among the messages. */
export interface Ping {
  readonly asked: Json;
  readonly answered: Json;
}

export interface LineHead extends Turn, Outcome {
  /** The agent and its version; and who speaks to it. */
  readonly peer: string;
  readonly version: string;
  readonly runtime: "acp" | "headless";
  /** The adapter that knows it. */
  readonly adapter: string;
  readonly about: string;
  readonly ping: Ping | null;
  /** What of the agent's own texts and lists was left out, by where it stood. */
  readonly trimmed: readonly string[];
}

export interface LineExchange extends LineHead {
  readonly steps: readonly LineStep[];
}

export const EXCHANGES = "tests/fixtures/exchanges";
const ENDING = ".jsonl";

export function exchangeFiles(): string[] {
  const names = readdirSync(EXCHANGES, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith(ENDING)).sort();
}

export function exchangePlace(peer: string, name: string): string {
  return join(EXCHANGES, peer, `${name}${ENDING}`);
}

export function readExchange(place: string): LineExchange {
  const [head, ...steps] = readFileSync(place, "utf8").trimEnd().split("\n");
  return {
    ...(JSON.parse(head ?? "") as LineHead),
    steps: steps.map((line) => JSON.parse(line) as LineStep),
  };
}

export function writeExchange(place: string, { steps, ...head }: LineExchange): void {
  writeFileSync(place, [head, ...steps].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Our requests are numbered anew, for between them we also asked whether we are heard. */
export function recordExchange(
  about: Omit<LineHead, "ping" | "trimmed">,
  passed: readonly Passed[],
  places: Readonly<Record<string, string>>,
): LineExchange {
  const ids = new Map<unknown, unknown>();
  const pings = new Set<unknown>();
  const cuts = new Set<string>();
  const ping: { asked?: Json; answered?: Json } = {};
  const kept = passed.flatMap(({ by, line }): LineStep[] => {
    const message = JSON.parse(line) as Json;
    const id = requestId(message);
    if (by === "us" && id !== undefined && isPing(message)) {
      pings.add(id);
      ping.asked ??= withId(message, null);
      return [];
    }
    if (by === "us" && id !== undefined) {
      ids.set(id, typeof id === "number" ? ids.size + 1 : `ours-${ids.size + 1}`);
      return [{ by, message: withId(message, ids.get(id)) }];
    }
    if (by === "us") return [{ by, message }];
    const own = answerId(message);
    if (pings.has(own)) {
      ping.answered ??= withId(message, null);
      return [];
    }
    if (id !== undefined) return [{ by, message }];
    const { message: rest, cuts: left } = trimmed(message);
    for (const cut of left) cuts.add(cut);
    return [{ by, message: ids.has(own) ? withId(rest, ids.get(own)) : rest }];
  });
  const { asked, answered } = ping;
  const whole = asked && answered ? { asked, answered } : null;
  return scrubbed({ ...about, ping: whole, trimmed: [...cuts].sort(), steps: kept }, places);
}

/** What must be the same whenever it is recorded: what was asked and answered. What an agent tells besides comes as it comes. */
export function core(exchange: LineExchange): unknown {
  const { steps } = exchange;
  const kept = steps.filter(({ by, message }) => by === "us" || requestId(message) !== undefined);
  return scrubbed({ ...exchange, trimmed: [], steps: kept });
}

/** By what a request is answered; undefined of what is none. */
export function requestId({ id, method, type, request_id }: Json): unknown {
  if (type === "control_request") return request_id;
  return typeof method === "string" ? id : undefined;
}

function answerId({ id, method, type, response }: Json): unknown {
  if (type === "control_response") return isObject(response) ? response["request_id"] : undefined;
  return method === undefined ? id : undefined;
}

function withId(message: Json, id: unknown): Json {
  const { type, response } = message;
  if (type === "control_request") return { ...message, request_id: id };
  if (type === "control_response") return { ...message, response: { ...(response as Json), request_id: id } };
  return { ...message, id };
}

function isPing({ method, request }: Json): boolean {
  return method === "_atlasbridge/ping" || (isObject(request) && request["subtype"] === "mcp_status");
}
