import { EXIT } from "../model/errors.js";
import { printError, printMessage } from "./output.js";

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

/** Time to set the exit code: a command that has printed its result ends within milliseconds. */
const UNREAD_MS = 200;

/** If the reader has closed the pipe (`| head`), the command ends quietly with its own exit code, so that a failure still shows. */
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

/** Node exits with 0 when no work is left, even if the command still waits for a promise that never settles. */
function guardAgainstSilentEnd(): () => void {
  const complainOnce = (): void => {
    process.exitCode = printError(new Error("the command ended before it was finished"));
  };
  process.once("beforeExit", complainOnce);
  return () => process.off("beforeExit", complainOnce);
}
