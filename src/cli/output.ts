import { AtlasBridgeError, EXIT } from "../model/errors.js";
import { makeVisible } from "../safety/display.js";

/** The command did not succeed, for a reason that is neither a bug nor an operational error. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode: number = EXIT.error) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/**
 * Prints the result of `work`: with `json` as an envelope, otherwise as the lines of `show`, with control characters made visible. An error
 * is printed in its envelope, too, and rethrown. `beside` adds fields to the envelope.
 */
export async function printResult<T>(
  json: boolean,
  work: () => Promise<T>,
  show: (data: T) => readonly string[],
  beside: () => object = () => ({}),
): Promise<void> {
  try {
    const data = await work();
    printLines(json ? [toJson({ status: "success", data, ...beside() })] : show(data).map(makeVisible));
  } catch (error) {
    if (json) printLines([toJson({ status: "error", error: describeError(error) })]);
    throw error;
  }
}

/** JSON.stringify escapes control characters only up to U+001F. */
function toJson(envelope: object): string {
  return JSON.stringify(envelope).replace(
    /[\u007f-\u009f]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}

/** Warns on stderr if the running hub has not read the current files yet. */
export async function warnOfEarlierConfig(): Promise<void> {
  const { usesEarlierConfig } = await import("../client/connect/config-in-use.js");
  if (await usesEarlierConfig())
    printMessage(
      "the running hub still uses an earlier configuration or earlier rules.",
      "`atlasbridge hub reload` makes it read the files.",
    );
}

function describeError(error: unknown): { code: string; message: string; hint: string } {
  if (error instanceof AtlasBridgeError)
    return { code: error.code, message: error.message, hint: error.hint };
  if (error instanceof CommandFailed) return { code: error.code, message: error.message, hint: "" };
  return { code: "bug", message: error instanceof Error ? error.message : String(error), hint: "" };
}

/** Prints the error on stderr, a bug with its stack. Returns the exit code. */
export function printError(error: unknown): number {
  if (error instanceof AtlasBridgeError) {
    printMessage(`${error.message} (${error.code})`, error.hint);
    return error.exitCode;
  }
  if (error instanceof CommandFailed) {
    printMessage(error.message);
    return error.exitCode;
  }
  printMessage(`bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return EXIT.error;
}

export function printMessage(message: string, hint = ""): void {
  process.stderr.write(makeVisible(`atlasbridge: ${message}\n${hint && `  ${hint}\n`}`));
}
