/** Code of single adapters, by the adapter's name. */
import type { AdapterCode } from "../src/sdk/adapter-code.js";
import { gemini } from "./gemini.js";
import { opencode } from "./opencode.js";
import { qwen } from "./qwen.js";

export const adapterCode: ReadonlyMap<string, AdapterCode> = new Map([
  ["gemini", gemini],
  ["opencode", opencode],
  ["qwen", qwen],
]);
