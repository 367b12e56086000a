import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";
import { findAdapter, GENERIC_ADAPTER, type AdapterPlace } from "./adapters.js";

const NAME_LENGTH_MAX = 60;
const NAMELESS = "agent";

/** A client with an adapter file gets the adapter's name; any other its own, in one short line. */
export async function nameClient(
  client: string,
  place: AdapterPlace,
): Promise<{ readonly tool: string; readonly rules: CompiledAdapter["hooks"] }> {
  const name = client
    .replace(/[^\p{L}\p{N} ._-]/gu, "")
    .trim()
    .slice(0, NAME_LENGTH_MAX);
  if (name === "") return { tool: NAMELESS, rules: null };
  // A broken adapter file must not prevent asking.
  const adapter = await findAdapter(name, place).catch(() => null);
  const isKnown = adapter !== null && adapter.name !== GENERIC_ADAPTER;
  return isKnown ? { tool: adapter.name, rules: adapter.hooks } : { tool: name, rules: null };
}
