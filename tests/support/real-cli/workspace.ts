/** A home and a small git repository in a temp folder, so that a real CLI touches nothing of the user's. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Workspace {
  readonly home: string;
  /** The repository in which the tool runs. */
  readonly cwd: string;
  /** A tool that was just hung up may still write into it: tried again until all of it is gone. */
  dispose(): Promise<void>;
}

const APP = 'import sys\n\ndef main():\n    pass\n\nname = input("Your name? ")\nprint(f"hi {name}")\n';

/** `place`: where to make it, in folders that do not exist or are empty; by default a temp folder. */
export function makeWorkspace(place: Place = temporaryPlace()): Workspace {
  const { root, home, cwd } = place;
  mkdirSync(home, { recursive: true });
  writeText(join(cwd, "app.py"), APP);
  writeText(join(cwd, "src/index.ts"), "export {};\n");
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd, env: cleanEnv(home) });
  return {
    home,
    cwd,
    // Not in one go: that would keep the whole test from going on, and tries again without looking for what came meanwhile.
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

export interface Place {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
}

/** Resolved, because the tools compare it with the folder they find themselves in. */
function temporaryPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "atlas-real-")));
  return { root, home: join(root, "home"), cwd: join(root, "proj") };
}

/** Nothing of the developer's environment but the way to node: no keys, no proxies, no settings of a parent CLI. */
export function cleanEnv(home: string): Record<string, string> {
  return {
    HOME: home,
    USER: "dev",
    LOGNAME: "dev",
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    EDITOR: "vim",
  };
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function writeJson(path: string, value: object): void {
  writeText(path, `${JSON.stringify(value, null, 2)}\n`);
}
