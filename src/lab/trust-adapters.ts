/** `adapter trust`: the user agrees to adapter files before their first run, in scripts, too. */
import { existsSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { loadAdapter } from "../plugins/adapters/adapters.js";
import { agreeTo } from "../plugins/adapters/agreed-files.js";
import { listPrograms, loadProgram } from "../plugins/adapters/programs.js";
import type { OwnFile } from "../worker/adapter-format/compiled/compiled.js";
import { namesProgram } from "./program-files.js";

/** `named`: adapters or programs, or their files. Errors: ATB_USAGE, ATB_ADAPTER_*, and as `agreeTo`. */
export async function trustAdapters(named: readonly string[]): Promise<readonly OwnFile[]> {
  const found = await Promise.all(named.map(findOwn));
  for (const own of found) agreeTo(own, resolvePaths());
  return found;
}

async function findOwn(named: string): Promise<OwnFile> {
  const paths = resolvePaths();
  const name = basename(named, ".yaml");
  const program = listPrograms(paths).find((each) => each.name === named)?.file ?? named;
  const { own } = await (namesProgram(named) ? loadProgram(program) : loadAdapter(name, paths));
  // An agent's file counts only where its name is looked up.
  const isMeant =
    named === name || (existsSync(named) && own && realpathSync(named) === realpathSync(own.file));
  if (own && isMeant) return own;
  throw new AtlasBridgeError("ATB_USAGE", `${named} is no adapter file of yours`, {
    hint: `Yours are in ${paths.adaptersDir}. Those of the package and of bundles need no agreement.`,
  });
}
