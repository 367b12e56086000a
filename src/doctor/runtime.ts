/** Checks Node and the native addons. Node's version was already checked before anything was loaded (`src/main.ts`). */
import type { AddonTry } from "./addon.js";
import { failCheck, passCheck, warnCheck, type CheckFinding } from "./check.js";

export interface NodeFacts {
  /** `process.versions.node`. */
  readonly node: string;
  /** `process.versions.modules`: native code is built for one such number. */
  readonly abi: string;
}

/** The only optional addon. */
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
  // It is distributed compiled, so there is nothing to build.
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

/** Summarizes the reason in one line; the loader's own message has twenty. */
function summarizeReason(message: string, { node, abi }: NodeFacts): string {
  const built = OTHER_ABI.exec(message)?.[1];
  if (built !== undefined) return `was built for another Node (ABI ${built}; Node ${node} has ABI ${abi})`;
  if (OTHER_MACHINE.test(message)) return "was built for another architecture";
  const libc = OTHER_LIBC.exec(message)?.[1];
  if (libc !== undefined) return `was built for a newer system (it needs ${libc})`;
  if (NEVER_BUILT.test(message)) return "was never built: npm did not run its install script";
  return `cannot be loaded: ${message.split("\n")[0] ?? ""}`;
}
