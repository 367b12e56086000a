/** The bundle loads only what a command needs: a worker starts without parser, emulator and schemas, and loads nothing of the hub. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";

interface Output {
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
  outputs: Readonly<Record<string, Output>>;
};

/** `main` and the bundle of `run`, where every chunk's name says so. */
const RUN_BUNDLE = /^dist\/(?:main|run-.*)\.js$/;

/** Every other command, the hub's own among them. */
const OTHER_BUNDLE = /^dist\/(?:program|other-.*)\.js$/;

function readOutput(source: string, bundle: RegExp): string {
  const found = Object.entries(outputs).find(
    ([file, { entryPoint }]) => entryPoint === source && bundle.test(file),
  );
  if (!found) throw new Error(`${source} is no chunk of its own`);
  return found[0];
}

/** Everything that is loaded when these modules are. */
function loadedWith(...sources: readonly string[]): Set<string> {
  return loadedFrom(RUN_BUNDLE, ...sources);
}

function loadedFrom(bundle: RegExp, ...sources: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind !== "dynamic-import") visit(path);
  };
  for (const source of sources) visit(readOutput(source, bundle));
  const parts = [...files].flatMap((file) => [file, ...Object.keys(outputs[file]?.inputs ?? {})]);
  return new Set(parts.map(readPackage));
}

/** Name of the npm package that a file is of; of our own files their path. */
function readPackage(file: string): string {
  const inside = file.split("node_modules/").at(-1) ?? file;
  if (inside === file) return file;
  const [scope = "", name = ""] = inside.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/** The hub's. */
const HEAVY = ["telegraf", "@slack/bolt", "better-sqlite3", "pino", "koffi"];
const COMMAND = "src/main.ts";
const PROGRAM = "src/cli/run-program.ts";
const ANNOUNCE = "src/app/run/announce-start.ts";
const WATCH = "src/app/run/supervise-run.ts";

describe("what is loaded", () => {
  it("before Node's version is judged: nothing of anybody else's", () => {
    const foreign = [...loadedWith(COMMAND)].filter((part) => !/^(?:src|dist)\//.test(part));
    expect(foreign).toEqual([]);
  });

  it("before the tool's first output is shown: no library but the one for random names", () => {
    const loaded = [...loadedWith(COMMAND, PROGRAM, ANNOUNCE)];
    const foreign = loaded.filter((part) => !/^(?:src|dist|channels|adapters)\//.test(part));
    expect(foreign.filter((part) => !isBuiltin(part))).toEqual(["nanoid"]);
  });

  it("before the tool's first output is shown: two files, for each costs up to two milliseconds", () => {
    const chunks = [...loadedWith(PROGRAM, ANNOUNCE)].filter((part) => part.startsWith("dist/"));
    const program = readFileSync("dist/run-program.js", "utf8");
    expect(readdirSync("dist")).not.toContain(basename(readOutput(ANNOUNCE, RUN_BUNDLE)));
    expect(chunks.filter((chunk) => !program.includes(`"./${basename(chunk)}": (function`))).toEqual([]);
    expect(readFileSync("dist/main.js", "utf8").match(/require\("[^"]+"\)/g)).toEqual([
      'require("./run-program.js")',
      'require("./hook-program.js")',
      'require("./program.js")',
    ]);
  });

  it("before the tool starts: of Node's own modules not those that take milliseconds to compile", () => {
    const script = `
      process.on("exit", () => console.log(JSON.stringify(process.moduleLoadList)));
      require("./dist/run-program.js");`;
    const loaded = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
    for (const name of ["crypto", "child_process", "net", "http", "fs/promises"])
      expect(JSON.parse(loaded)).not.toContain(`NativeModule ${name}`);
  });

  it("by a worker in all: nothing of the hub's", () => {
    const loaded = loadedWith(COMMAND, PROGRAM, ANNOUNCE, WATCH);
    expect(loaded).toContain("@xterm/headless");
    for (const name of HEAVY) expect(loaded).not.toContain(name);
  });

  it("by a hub: a channel's library with that channel alone", () => {
    const hub = ["src/cli/program.ts", "src/app/hub/run-hub.ts", "src/app/hub/core.ts"];
    const libraries = ["telegraf", "@slack/bolt", "@slack/web-api", "@slack/socket-mode", "undici"];
    const loaded = loadedFrom(OTHER_BUNDLE, ...hub);
    for (const name of libraries) expect(loaded).not.toContain(name);
    const [telegram, slack] = ["telegram", "slack"].map((id) =>
      loadedFrom(OTHER_BUNDLE, `channels/${id}/index.ts`),
    );
    expect(telegram).not.toContain("@slack/bolt");
    expect(slack).toContain("@slack/bolt");
    expect(slack).not.toContain("telegraf");
  });

  it("by a command: the library that draws with `watch` alone", () => {
    const library = "@earendil-works/pi-tui";
    expect(loadedFrom(OTHER_BUNDLE, "src/cli/program.ts")).not.toContain(library);
    expect(loadedFrom(OTHER_BUNDLE, "src/cli/watch/lines.ts")).not.toContain(library);
    expect(loadedFrom(OTHER_BUNDLE, "src/cli/watch/screen.ts")).toContain(library);
  });

  it("by a worker at most: its bundle holds nothing of the hub", () => {
    const inputs = Object.entries(outputs).flatMap(([file, output]) =>
      RUN_BUNDLE.test(file) ? Object.keys(output.inputs) : [],
    );
    const packages = new Set(inputs.map(readPackage));
    for (const name of HEAVY) expect(packages).not.toContain(name);
  });
});
