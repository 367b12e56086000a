/** The hub's log of JSON lines. Workers have none, because their terminal belongs to the tool. */
import { appendToLog, LOG_LINE_BYTES_MAX } from "./log-file.js";

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Messages are constant sentences; variable data goes into fields. Neither may contain a token, message text, reply text or
 * screen text.
 */
export interface Log {
  (level: LogLevel, message: string, fields?: LogFields): void;
  readonly isDebug?: boolean;
}

/** With `debug` the log contains what workers observe. */
export const LOG_LEVEL = "ATLASBRIDGE_LOG";

/** Not written, even if passed by mistake. */
const SECRET_FIELD = /token|nonce|secret|password|authorization|^(?:text|value|content|excerpt|raw_?bytes)$/i;
/** Deeper objects are whole states. */
const FIELD_DEPTH_MAX = 4;

/** Opens the log. `scrub` removes secrets from every text, error messages included. */
export async function openLog(
  path: string,
  scrub: (text: string) => string,
  wanted = process.env[LOG_LEVEL],
): Promise<Log> {
  const isDebug = wanted === "debug";
  // In the bundle its exports are only on the default export.
  const { default: pino } = await import("pino");
  const logger = pino(
    {
      level: isDebug ? "debug" : "info",
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => appendToLog(path, limitLine(line)) },
  );
  const write: Log = (level, message, fields = {}) => {
    logger[level](scrubObject(fields, scrub, FIELD_DEPTH_MAX), scrub(message));
  };
  return Object.assign(write, { isDebug });
}

/** No JSON any more, but marked. */
function limitLine(line: string): string {
  if (Buffer.byteLength(line) <= LOG_LINE_BYTES_MAX) return line;
  return `${line.slice(0, LOG_LINE_BYTES_MAX / 4)}… (cut)\n`;
}

function scrubObject(
  fields: object,
  scrub: (text: string) => string,
  depth: number,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_FIELD.test(name) ? "[not logged]" : scrubValue(value, scrub, depth),
    ]),
  );
}

function scrubValue(value: unknown, scrub: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth === 0) return "…";
  if (value instanceof Error) return scrubError(value, scrub, depth - 1);
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub, depth - 1));
  return scrubObject(value, scrub, depth - 1);
}

function scrubError(error: Error, scrub: (text: string) => string, depth: number): Record<string, unknown> {
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: scrubValue(error.cause, scrub, depth) };
  return {
    name: error.name,
    ...code,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ""),
    ...cause,
  };
}
