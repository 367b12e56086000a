/** `npm run docs`: writes the reference pages that are made from the code. */
import { writeFileSync } from "node:fs";
import { referencePages } from "./pages.js";

for (const [file, text] of Object.entries(referencePages())) writeFileSync(file, text);
