/** The reference pages and the manual page that are made from the code, by their files. */
import { adapterKeysPage } from "./adapter-keys-page.js";
import { commandsPage } from "./commands-page.js";
import { configPage } from "./config-page.js";
import { errorsPage } from "./errors-page.js";
import { manPage } from "./man-page.js";
import { programKeysPage } from "./program-keys-page.js";
import { policyPage } from "./policy-page.js";
import { realSuitesPage } from "./real-suites-page.js";
import { sdkPage } from "./sdk-page.js";

export function referencePages(): Readonly<Record<string, string>> {
  return {
    "docs/reference/adapter-keys.md": adapterKeysPage(),
    "docs/reference/commands.md": commandsPage(),
    "docs/reference/config.md": configPage(),
    "docs/reference/errors.md": errorsPage(),
    "docs/reference/program-keys.md": programKeysPage(),
    "docs/reference/policy.md": policyPage(),
    "docs/reference/real-suites.md": realSuitesPage(),
    "docs/reference/sdk.md": sdkPage(),
    "man/atlasbridge.1": manPage(),
  };
}
