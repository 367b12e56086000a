/** Makes the kept excerpt of opencode's document again: `npx tsx tests/support/session-server-schema/main.ts`. Needs the npm registry once. */
import { writeFileSync } from "node:fs";
import { excerptText } from "../app-server-schema/excerpt.js";
import { EXCERPT_FILE } from "./excerpt.js";
import { installedExcerpt } from "./installed.js";

const excerpt = await installedExcerpt();
writeFileSync(EXCERPT_FILE, excerptText(excerpt));
process.stdout.write(`${excerpt.of}: ${Object.keys(excerpt.definitions).length} definitions\n`);
