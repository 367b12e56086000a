/** A structured log line, without tokens, message texts, reply texts or screen texts. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
