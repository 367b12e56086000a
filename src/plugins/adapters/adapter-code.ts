import { adapterCode } from "../../../adapters/index.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";

/** With what is code of it. That goes with the name: whoever changes a copy of a tool's file keeps it. */
export function withCode(adapter: CompiledAdapter): CompiledAdapter {
  const code = adapterCode.get(adapter.name);
  return code ? { ...adapter, code } : adapter;
}
