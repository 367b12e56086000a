/** A newer node for CLIs that ours is too old for. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { locateCache, type Installed, installRealCli, skipped } from "./install.js";

const NODE_24 = { name: `node-${process.platform}-${process.arch}`, version: "24.21.0" } as const;
const NEW_ENOUGH = 22;

/** Call it before `nodeFile`. */
export async function installNode(): Promise<Installed> {
  if (isNewEnough()) return { ok: true, modules: "" };
  const installed = await installRealCli(NODE_24);
  return !installed.ok || existsSync(nodeFile()) ? installed : skipped(NODE_24, "it holds no node");
}

/** The node to run such CLIs with: this one if it will do. */
export function nodeFile(): string {
  return isNewEnough() ? process.execPath : join(locateCache(NODE_24), NODE_24.name, "bin", "node");
}

function isNewEnough(): boolean {
  return Number(process.versions.node.split(".")[0]) >= NEW_ENOUGH;
}
