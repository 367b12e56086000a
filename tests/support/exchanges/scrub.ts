/** What is taken out of a recording before it is kept: the machine, the moment, and what an agent tells of itself at length. */
import type { Json } from "../../../src/model/data/json.js";

const ID = /\b(ses|msg|prt|per|que|evt|call|toolu|req|rs|fc|item)_[\w-]+/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Instants and counters that begin with one, in names. */
const LONG_NUMBER = /(?<![\d.])[1-9]\d{9,18}(?![\d.])/g;
const HASH = /\b[0-9a-f]{32,64}\b/g;
/** Also as a folder for each day, and in names of files. */
const DATE = /\b20\d\d([-/])\d\d\1\d\d(?:T\d\d([-:])\d\d\2\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?/g;
/** Some agents give their plans names of their own making. */
const PLAN = /(?<=\/plans\/)[\w-]+(?=\.md\b)/g;
const PASSING =
  /^(?:slug|snapshot|hash|created|updated|completed|start|end|time|pid|userAgent|serverName|messaging_socket_path)$|[dD]uration|[eE]lapsed|_ms$|Ms$/;

/** Nothing of the machine and of the moment is left: places, ids, times, addresses. Whole again, it gives the same. */
export function scrubbed<Value>(value: Value, places: Readonly<Record<string, string>> = {}): Value {
  const numbered = numbering();
  const text = (given: string): string =>
    Object.entries(places)
      .reduce((done, [from, to]) => done.replaceAll(from, to), given)
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:4096")
      .replace(PLAN, "plan")
      .replace(DATE, standInDate)
      .replace(UUID, (id) => `00000000-0000-4000-8000-${padded(numbered("uuid", id), 12)}`)
      .replace(HASH, (hash) => padded(numbered("hash", hash), hash.length))
      .replace(ID, (id, prefix: string) => `${prefix}_${numbered(prefix, id)}`)
      .replace(LONG_NUMBER, (digits) => `1${padded(numbered("number", digits), 9)}`);
  const scrub = (given: unknown, name = ""): unknown => {
    if (typeof given === "string") return PASSING.test(name) ? "" : text(given);
    if (typeof given === "number") return PASSING.test(name) || isInstant(given) ? 1 : given;
    if (Array.isArray(given)) return given.map((each) => scrub(each));
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [text(key), scrub(inner, key)]));
  };
  return scrub(value) as Value;
}

function standInDate(_: string, day: string, second?: string, zone?: string): string {
  const date = `2000${day}01${day}01`;
  return second === undefined ? date : `${date}T00${second}00${second}00${zone === undefined ? "" : "Z"}`;
}

/** The same number for the same thing, of each kind counted from 1. */
function numbering(): (kind: string, thing: string) => number {
  const kinds = new Map<string, Map<string, number>>();
  return (kind, thing) => {
    const known = kinds.get(kind) ?? new Map<string, number>();
    kinds.set(kind, known);
    const number = known.get(thing) ?? known.size + 1;
    known.set(thing, number);
    return number;
  };
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** Of our years, in seconds or milliseconds. */
function isInstant(given: number): boolean {
  return (given > 1.6e9 && given < 2.2e9) || (given > 1.6e12 && given < 2.2e12);
}

/** Longer lists are lists of models, commands and tools. */
const LIST_MAX = 8;
const TEXT_MAX = 300;
/** What an agent says of itself, and of what its tools did: its makers' words, most of them to its model. */
const OWN_TEXT_MAX = 60;
const OWN_TEXT =
  /\.(?:description|body|rawOutput|output\.data|update\.content\.content\.text|message\.content\.content(?:\.text)?|tool_use_result(?:\.\w+)?)$/;
/** What an agent tells of itself and we do not act on. */
const OWN_LISTS =
  /^(?:availableCommands|availableModels|commands|models|tools|skills|slash_commands|agents|plugins|mcp_servers|output_styles)$/;

export interface Trimmed {
  readonly message: Json;
  readonly cuts: readonly string[];
}

/** What an agent reports, without its own long texts and lists: they are its makers', and tell nothing of the protocol. */
export function trimmed(message: Json): Trimmed {
  const cuts = new Set<string>();
  const shorter = (given: string, path: string): string => {
    const max = OWN_TEXT.test(path) ? OWN_TEXT_MAX : TEXT_MAX;
    if (given.length <= max) return given;
    cuts.add(path);
    return `${given.slice(0, max)}…`;
  };
  const trim = (given: unknown, name: string, path: string): unknown => {
    if (typeof given === "string") return shorter(given, path);
    if (typeof given !== "object" || given === null) return given;
    if (!Array.isArray(given)) {
      const entries = Object.entries(given);
      return Object.fromEntries(entries.map(([key, inner]) => [key, trim(inner, key, `${path}.${key}`)]));
    }
    const most = OWN_LISTS.test(name) ? 1 : LIST_MAX;
    if (given.length > most) cuts.add(path);
    const kept = given.length > most ? given.slice(0, OWN_LISTS.test(name) ? 1 : 2) : given;
    return kept.map((each) => trim(each, name, path));
  };
  const kept = trim(message, "", "") as Json;
  return { message: kept, cuts: [...cuts].map((path) => path.slice(1)) };
}
