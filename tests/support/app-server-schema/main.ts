/** Makes the kept excerpt of codex's schema again: `npx tsx tests/support/app-server-schema/main.ts`. Needs the npm registry once. */
import { writeFileSync } from "node:fs";
import { installedExcerpt } from "./installed.js";
import { EXCERPT_FILE, excerptText } from "./excerpt.js";

const excerpt = await installedExcerpt();
writeFileSync(EXCERPT_FILE, excerptText(excerpt));
process.stdout.write(`${excerpt.of}: ${Object.keys(excerpt.definitions).length} definitions\n`);
