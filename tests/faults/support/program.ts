/** The product with its fail points armed: what `build.ts` bundles. */
import "./arm.js";
import "../../../src/main.js";
