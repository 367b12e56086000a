import { adapterCode } from "../../../adapters/index.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";

/** Adds the adapter's code to its data. The code belongs to the name, so a user's copy of a tool's file keeps it. */
export function addAdapterCode(adapter: CompiledAdapter): CompiledAdapter {
  const code = adapterCode.get(adapter.name);
  return code ? { ...adapter, code } : adapter;
}
