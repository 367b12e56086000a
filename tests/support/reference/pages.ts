/** The reference pages that are made from the code, by their files. */
import { commandsPage } from "./commands-page.js";
import { errorsPage } from "./errors-page.js";

export function referencePages(): Readonly<Record<string, string>> {
  return {
    "docs/reference/commands.md": commandsPage(),
    "docs/reference/errors.md": errorsPage(),
  };
}
