/** Runs a command so that neither a closed pipe nor a silent end looks like success. */
import { EXIT } from "../model/errors.js";
import { printError, printMessage } from "./output.js";

/** Prints what `work` throws; the result is `process.exitCode`. */
export async function runGuarded(work: () => Promise<void>): Promise<void> {
  process.stdout.on("error", endUnread);
  const stopGuard = guardAgainstSilentEnd();
  try {
    await work();
  } catch (error) {
    process.exitCode = printError(error);
  } finally {
    stopGuard();
  }
}

/** A command that has printed its result ends within milliseconds; one that goes on printing has nobody to print for. */
const UNREAD_MS = 200;

/**
 * Where the reader has closed the pipe (`| head`), the command ends quietly, and its exit code is still its own: what was not achieved
 * must not look successful because nobody read why.
 */
function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") {
    setTimeout(() => process.exit(EXIT.unread), UNREAD_MS).unref();
    return;
  }
  printMessage(
    `standard output cannot be written (${error.code ?? error.message}); what the command did, it did`,
  );
  process.exit(EXIT.environment);
}

/** Node exits with code 0 when nothing is left to wait for. A command that waits for something impossible must not look successful. */
function guardAgainstSilentEnd(): () => void {
  const complainOnce = (): void => {
    process.exitCode = printError(new Error("the command ended before it was finished"));
  };
  process.once("beforeExit", complainOnce);
  return () => process.off("beforeExit", complainOnce);
}
