/** Properties draw the same inputs in every run of the gate. `npm run verify` sets another seed and prints it. */
import { configureGlobal } from "fast-check";

const SEED = 20_261_128;

configureGlobal({ seed: Number(process.env["ATB_PROPERTY_SEED"] ?? SEED) });
