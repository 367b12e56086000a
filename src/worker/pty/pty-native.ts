/**
 * Loads the native half of node-pty: fork into a pseudo-terminal, resize, report when the child was reaped. Its JavaScript half is
 * not used (ADR 2): it loses the last output, burns a core on a child that does not read, and cannot be configured otherwise.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findAddonFile } from "../../observe/addon-file.js";
import { createStartError } from "../process/executable.js";

interface NativeFork {
  readonly fd: number;
  readonly pid: number;
  readonly pty: string;
}

interface NativePty {
  // The native function takes exactly these eleven, in this order.
  fork(
    file: string,
    args: readonly string[],
    environment: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): NativeFork;
  resize(fd: number, cols: number, rows: number): void;
}

interface LoadedPty {
  readonly native: NativePty;
  /** A helper program that macOS needs to start a child; unused elsewhere. */
  readonly helperPath: string;
}

let loaded: LoadedPty | undefined;

/** Loaded on first use. Errors: ATB_TOOL_START_FAILED when the addon was never built or is for another Node. */
export function loadPty(): LoadedPty {
  return (loaded ??= loadAddon());
}

function loadAddon(): LoadedPty {
  return (process.platform === "linux" ? loadBinary() : null) ?? loadByPackage();
}

/** As npm built it; null where it is somewhere else. */
function loadBinary(): LoadedPty | null {
  try {
    const file = findAddonFile("node-pty", "build/Release/pty.node");
    const module = { exports: {} as NativePty };
    process.dlopen(module, file ?? "");
    return { native: module.exports, helperPath: "" };
  } catch {
    return null;
  }
}

/** As the package itself finds it, in several milliseconds. */
function loadByPackage(): LoadedPty {
  const require = createRequire(import.meta.filename);
  try {
    const utils = require.resolve("node-pty/lib/utils.js");
    const { loadNativeModule } = require(utils) as {
      loadNativeModule: (name: string) => { dir: string; module: NativePty };
    };
    const { dir, module } = loadNativeModule("pty");
    return { native: module, helperPath: join(dirname(utils), dir, "spawn-helper") };
  } catch (cause) {
    throw createStartError(
      "the terminal addon (node-pty) could not be loaded",
      "Run `npm rebuild node-pty`.",
      cause,
    );
  }
}
