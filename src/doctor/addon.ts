/** Tries to load a native addon in a separate process, because a build for another Node may crash the process. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPackageRoot } from "../observe/package-root.js";

export const ADDONS = ["node-pty", "better-sqlite3", "koffi", "@resvg/resvg-js"] as const;
export type AddonName = (typeof ADDONS)[number];

export type AddonLoad =
  | { readonly kind: "loaded"; readonly version: string }
  | { readonly kind: "absent" }
  | { readonly kind: "threw"; readonly message: string }
  /** The process ended without output. */
  | { readonly kind: "died"; readonly how: string };

export interface AddonTry {
  readonly addon: AddonName;
  /** Folder whose `node_modules` holds the addon; the package's folder if it is missing. */
  readonly root: string;
  readonly load: AddonLoad;
}

/** Loading takes about 20 ms, on a busy machine a second. */
const LOAD_LIMIT_MS = 15_000;

/** Code that makes each addon load its binary; importing it alone does not. */
const USES: Readonly<Record<AddonName, string>> = {
  "node-pty": 'load("node-pty/lib/utils.js").loadNativeModule("pty");',
  "better-sqlite3": 'new (load("better-sqlite3"))(":memory:").close();',
  koffi: 'load("koffi");',
  "@resvg/resvg-js": 'load("@resvg/resvg-js");',
};

export async function tryAddon(addon: AddonName): Promise<AddonTry> {
  const root = findHolder(addon);
  if (root === null) return { addon, root: findPackageRoot(), load: { kind: "absent" } };
  return { addon, root, load: await loadInChild(addon, root) };
}

/** Searched upwards from the package, as Node does. */
function findHolder(addon: AddonName): string | null {
  for (let folder = findPackageRoot(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", addon, "package.json"))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

function loadInChild(addon: AddonName, root: string): Promise<AddonLoad> {
  const script = `
    const load = require("node:module").createRequire(process.argv[1]);
    const say = (load) => process.stdout.write(JSON.stringify(load));
    try {
      ${USES[addon]}
      say({ kind: "loaded", version: load("./node_modules/${addon}/package.json").version });
    } catch (error) {
      say({ kind: "threw", message: String(error?.message ?? error) });
    }`;
  const limits = { timeout: LOAD_LIMIT_MS, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, ["-e", script, join(root, "package.json")], limits, (error, stdout) => {
      const how = error?.signal ?? `code ${String(error?.code ?? 0)}`;
      resolve(parseLoad(stdout) ?? { kind: "died", how });
    });
  });
}

function parseLoad(stdout: string): AddonLoad | null {
  try {
    return JSON.parse(stdout) as AddonLoad;
  } catch {
    return null;
  }
}
