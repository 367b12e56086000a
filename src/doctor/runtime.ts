/** Checks Node and the native addons. `src/main.ts` checks Node's version before anything is loaded. */
import { failCheck, passCheck, warnCheck, type CheckFinding } from "./check.js";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPackageRoot } from "../observe/package-root.js";

export interface NodeFacts {
  readonly node: string;
  /** `process.versions.modules`: native code is built for one such number. */
  readonly abi: string;
}

const PAINTER = "@resvg/resvg-js";
const RECOMMENDED = 24;
/** The newest major version on which the whole test suite runs. */
const NEWEST_KNOWN = 26;

export function checkNode({ node }: NodeFacts): CheckFinding {
  const major = Number(node.split(".")[0]);
  if (major % 2 === 1 || major > NEWEST_KNOWN)
    return warnCheck(
      "node",
      `Node ${node}, which AtlasBridge was not tested with`,
      `Use Node ${RECOMMENDED}.`,
    );
  const advice = major < RECOMMENDED ? `; ${RECOMMENDED} is recommended` : "";
  return passCheck("node", `Node ${node}${advice}`);
}

export function checkAddon(tried: AddonTry, facts: NodeFacts): CheckFinding {
  const finding = judgeLoad(tried, facts);
  if (tried.addon !== PAINTER || finding.state !== "fail") return finding;
  // It comes compiled.
  const action = `Run \`npm install --include=optional\` in ${tried.root}, or do without it.`;
  return warnCheck(PAINTER, `${finding.found}: the screen is sent as text, not as a picture`, action);
}

function judgeLoad({ addon, root, load }: AddonTry, facts: NodeFacts): CheckFinding {
  const rebuild = `Run \`npm rebuild ${addon}\` in ${root}`;
  switch (load.kind) {
    case "loaded":
      return passCheck(addon, `${load.version} loads`);
    case "absent":
      return failCheck(
        addon,
        "is not installed",
        `Run \`npm install\` in ${root}, or reinstall AtlasBridge.`,
      );
    case "died":
      return failCheck(addon, `crashes Node (${load.how}) when it is loaded`, `${rebuild}.`);
    case "threw":
      return failCheck(
        addon,
        summarizeReason(load.message, facts),
        `${rebuild} (it needs make, g++ and python3).`,
      );
  }
}

const OTHER_ABI = /NODE_MODULE_VERSION (\d{1,5})/;
const OTHER_MACHINE = /invalid ELF header|wrong ELF class|incompatible architecture|not a mach-o/i;
const OTHER_LIBC = /version [`'](GLIBC[\w.]{0,30})' not found/;
const NEVER_BUILT = /Could not locate the bindings file|Failed to load native module|Cannot find module/;

/** One line; the loader's message has twenty. */
function summarizeReason(message: string, { node, abi }: NodeFacts): string {
  const built = OTHER_ABI.exec(message)?.[1];
  if (built !== undefined) return `was built for another Node (ABI ${built}; Node ${node} has ABI ${abi})`;
  if (OTHER_MACHINE.test(message)) return "was built for another architecture";
  const libc = OTHER_LIBC.exec(message)?.[1];
  if (libc !== undefined) return `was built for a newer system (it needs ${libc})`;
  if (NEVER_BUILT.test(message)) return "was never built: npm did not run its install script";
  return `cannot be loaded: ${message.split("\n")[0] ?? ""}`;
}

export const ADDONS = ["node-pty", "better-sqlite3", "koffi", "@resvg/resvg-js"] as const;
export type AddonName = (typeof ADDONS)[number];

export type AddonLoad =
  | { readonly kind: "loaded"; readonly version: string }
  | { readonly kind: "absent" }
  | { readonly kind: "threw"; readonly message: string }
  | { readonly kind: "died"; readonly how: string };

export interface AddonTry {
  readonly addon: AddonName;
  /** The folder whose `node_modules` has the addon, otherwise the package's. */
  readonly root: string;
  readonly load: AddonLoad;
}

/** Usually 20 ms. */
const LOAD_LIMIT_MS = 15_000;

/** Importing an addon does not always load its binary. */
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

/** Upwards from the package, as Node searches. */
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
