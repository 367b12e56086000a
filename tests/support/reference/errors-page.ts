/** `docs/reference/errors.md`: every error code and exit code. */
import { ERROR_CODES, EXIT_MEANINGS } from "../../../src/model/errors.js";
import { code, GENERATED, page, table } from "./markdown.js";

export function errorsPage(): string {
  const codes = Object.entries(ERROR_CODES).map(([name, { exit, meaning }]) => [
    code(name),
    String(exit),
    meaning,
  ]);
  return page(
    "# Errors and exit codes",
    GENERATED,
    "Every operational error has a code. Its message says what happened, where, what was found and what to do. It never holds a token, the\ntext of a reply or the text of a screen. A code that is retired is not used again.",
    "## Codes",
    table(["Code", "Exit code", "Meaning"], codes),
    "## Exit codes",
    table(["Exit code", "Meaning"], Object.entries(EXIT_MEANINGS)),
    "`atlasbridge run` exits as the tool did: with its exit code, or with 128 plus the number of the signal that ended it.",
  );
}
