/** Writes the JSON Schemas of the package: `npm run schemas`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchemas } from "./json-schemas.js";

const OUT = "schemas";

mkdirSync(OUT, { recursive: true });
for (const [file, text] of Object.entries(jsonSchemas())) writeFileSync(join(OUT, file), text);
