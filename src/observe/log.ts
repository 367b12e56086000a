/** The hub's log: JSON lines in a file that only its owner can read. The worker has none, because its terminal belongs to the tool. */
import { appendToLog, LOG_LINE_BYTES_MAX } from "./log-file.js";

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Messages are constant sentences; variable data goes into fields. Neither may contain a token, message text, reply text or
 * screen text.
 */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** Fields whose names suggest secrets or people's texts; they are not written even if passed by mistake. */
const SECRET_FIELD = /token|nonce|secret|password|authorization|^(?:text|value|content|excerpt|raw_?bytes)$/i;
/** Deeper objects are whole states, not log fields. */
const FIELD_DEPTH_MAX = 4;

/** Opens the log. `scrub` removes secrets from every text, error messages included. */
export async function openLog(path: string, scrub: (text: string) => string): Promise<Log> {
  // CommonJS: in the bundle its exports are only on the default export.
  const { default: pino } = await import("pino");
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => appendToLog(path, limitLine(line)) },
  );
  return (level, message, fields = {}) => {
    logger[level](cleanObject(fields, scrub, FIELD_DEPTH_MAX), scrub(message));
  };
}

/** A truncated line is no JSON, but it is marked, and a reader shows the rest. */
function limitLine(line: string): string {
  if (Buffer.byteLength(line) <= LOG_LINE_BYTES_MAX) return line;
  return `${line.slice(0, LOG_LINE_BYTES_MAX / 4)}… (cut)\n`;
}

function cleanObject(
  fields: object,
  scrub: (text: string) => string,
  depth: number,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_FIELD.test(name) ? "[not logged]" : clean(value, scrub, depth),
    ]),
  );
}

function clean(value: unknown, scrub: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth === 0) return "…";
  if (value instanceof Error) return cleanError(value, scrub, depth - 1);
  if (Array.isArray(value)) return value.map((item) => clean(item, scrub, depth - 1));
  return cleanObject(value, scrub, depth - 1);
}

function cleanError(error: Error, scrub: (text: string) => string, depth: number): Record<string, unknown> {
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: clean(error.cause, scrub, depth) };
  return {
    name: error.name,
    ...code,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ""),
    ...cause,
  };
}
