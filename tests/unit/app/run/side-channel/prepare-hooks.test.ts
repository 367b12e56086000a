/**
 * A run gives its tool settings for hooks in a private file, and removes port and secret afterwards. A tool whose version or
 * command line does not allow hooks is started as it was typed.
 */
import {
  existsSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareHooks, type HookedStart } from "../../../../../src/app/run/side-channel/prepare-hooks.js";
import { resolvePaths } from "../../../../../src/config/paths.js";
import { shippedAdapter } from "../../../worker/detection/screens.js";

let folder = "";
const prepared: HookedStart[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hooks-"));
  install("2.1.329");
});
afterEach(() => {
  for (const start of prepared.splice(0)) start.dispose();
  rmSync(folder, { recursive: true });
});

/** A tool of this name that tells its version and does nothing else. */
function install(version: string, name = "claude"): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
  chmodSync(file, 0o700);
}

const paths = () =>
  resolvePaths({
    env: { ATLASBRIDGE_HOME: join(folder, "home") },
    userHome: folder,
    tmpDir: folder,
    uid: process.getuid?.() ?? 0,
  });

async function prepare(
  args: readonly string[] = [],
  { tool = "claude", environment = {} } = {},
): Promise<HookedStart | null> {
  const start = await prepareHooks({
    adapter: shippedAdapter("claude"),
    tool,
    args,
    cwd: folder,
    environment: { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, ...environment },
    isolated: false,
    paths: paths(),
  });
  if (start) prepared.push(start);
  return start;
}

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Record<string, unknown>[] }[]>>;
}

const makeSettings = ({ args }: HookedStart): Settings & Record<string, unknown> =>
  JSON.parse(readFileSync(args[1] ?? "", "utf8")) as Settings & Record<string, unknown>;
const runFiles = (): string[] => {
  const folder = dirname(paths().socket);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("run-")) : [];
};

describe("a tool that is started with hooks", () => {
  it("gets settings in a private file, which holds the address and the secret that no argument holds", async () => {
    const start = await prepare(["--continue"]);
    if (!start) throw new Error("not prepared");
    const [option, file = "", ...rest] = start.args;
    expect([option, ...rest]).toEqual(["--settings", "--continue"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(start.args.join(" ")).not.toContain(start.access.secret);
    const [asked] = makeSettings(start).hooks["PermissionRequest"] ?? [];
    expect(asked?.hooks).toEqual([
      {
        type: "http",
        url: `http://127.0.0.1:${start.access.loopback.port}/`,
        headers: { Authorization: `Bearer ${start.access.secret}` },
        timeout: 86400,
      },
    ]);
  });

  it("leaves no port and no secret behind, and settings that do nothing where the tool may name them", async () => {
    const start = await prepare();
    if (!start) throw new Error("not prepared");
    const { port } = start.access.loopback;
    start.dispose();
    expect(readFileSync(start.args[1] ?? "", "utf8")).toBe("{}");
    expect(runFiles()).toHaveLength(1);
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow("ECONNREFUSED");
  });

  it.each([
    ["a file", (mine: string) => ["--settings", mine]],
    ["JSON", (mine: string) => [`--settings=${readFileSync(mine, "utf8")}`]],
  ])("keeps the settings that its user gave as %s, and their file as it is", async (_, args) => {
    const mine = join(folder, "mine.json");
    const own = { model: "opus", hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] } };
    writeFileSync(mine, JSON.stringify(own, null, 3));
    const before = readFileSync(mine);
    const start = await prepare([...args(mine), "-c"]);
    if (!start) throw new Error("not prepared");
    expect(start.args.slice(2)).toEqual(["-c"]);
    const settings = makeSettings(start);
    expect(settings["model"]).toBe("opus");
    expect(settings.hooks["Stop"]?.[0]).toEqual(own.hooks.Stop[0]);
    expect(settings.hooks["Stop"]).toHaveLength(2);
    expect(readFileSync(mine).equals(before)).toBe(true);
  });

  it("leaves its user's own settings in place of ours, so that a printed command works when it is typed again", async () => {
    const mine = join(folder, "mine.json");
    writeFileSync(mine, '{"model":"opus"}');
    const first = await prepare(["--settings", mine]);
    const inline = await prepare(["--settings", '{"model":"haiku"}']);
    for (const start of [first, inline]) start?.dispose();
    const typedAgain = await prepare(first?.args ?? []);
    if (!first || !inline || !typedAgain) throw new Error("not prepared");
    expect(readlinkSync(first.args[1] ?? "")).toBe(mine);
    expect(readFileSync(inline.args[1] ?? "", "utf8")).toBe('{"model":"haiku"}');
    expect(makeSettings(typedAgain)["model"]).toBe("opus");
    typedAgain.dispose();
    rmSync(first.args[1] ?? "");
    expect(readFileSync(typedAgain.args[1] ?? "", "utf8")).toBe('{"model":"opus"}');
  });

  it("keeps the files that a run gave back, and removes those of a killed run", async () => {
    const ended = await prepare();
    const killed = await prepare(["-c"]);
    if (!ended || !killed) throw new Error("not prepared");
    ended.dispose();
    // A process that is no more.
    const { pid } = spawnSync("true");
    const left = [ended, killed].map((start) => {
      const file = start.args[1] ?? "";
      const before = file.replace(/run-\d+-/, `run-${pid}-`);
      renameSync(file, before);
      return before;
    });
    await prepare();
    expect(left.map((file) => existsSync(file))).toEqual([true, false]);
  });

  it("gets no option that is the value of another one", async () => {
    const start = await prepare(["--append-system-prompt", "--settings", "hi"]);
    expect(start?.args.slice(2)).toEqual(["--append-system-prompt", "--settings", "hi"]);
  });

  it.each<[name: string, args: readonly string[], environment: object, settings: string | null]>([
    ["the environment", [], { HTTP_PROXY: "http://proxy:3128" }, null],
    ["the tool's own settings", [], {}, '{"env":{"HTTPS_PROXY":"http://proxy:3128"}}'],
    ["settings for this run", ["--settings", '{"env":{"http_proxy":"http://proxy:3128"}}'], {}, null],
    ["settings that nobody can read", [], {}, "{"],
  ])(
    "is called by a command where %s may lead to a proxy; the secret is in a second file, not in the settings",
    async (_, args, environment, settings) => {
      if (settings !== null) {
        mkdirSync(join(folder, ".claude"));
        writeFileSync(join(folder, ".claude/settings.json"), settings);
      }
      const start = await prepare(args, { environment });
      if (!start) throw new Error("not prepared");
      expect(start.access.callers).toBe("commands");
      const [asked] = makeSettings(start).hooks["PermissionRequest"] ?? [];
      expect(asked?.hooks[0]).toMatchObject({ type: "command" });
      expect(JSON.stringify(makeSettings(start))).not.toContain(start.access.secret);
      expect(runFiles()).toHaveLength(2);
      start.dispose();
      expect(runFiles()).toHaveLength(1);
    },
  );
});

describe("a tool that is started as it was typed", () => {
  it.each([
    ["has no dialogs with -p", ["-p", "hi"]],
    ["has no dialogs with -cp", ["-cp", "hi"]],
    ["is another program as `mcp`", ["mcp", "list"]],
    ["is another program behind an option with a value", ["--permission-mode", "manual", "mcp", "list"]],
    ["is another program behind options of any kind", ["--add-dir=..", "-d", "--verbose", "mcp", "list"]],
    ["is another program behind an option that nobody knows", ["--new-one", "x", "mcp", "list"]],
    ["gets settings that its manager made", ["--managed-settings", "{}"]],
    ["is another program as `rm`", ["rm", "a-session"]],
    ["updates itself", ["--update"]],
    [
      "has a rule that is rooted where its file lies",
      ["--settings", '{"permissions":{"deny":["Edit(/src/**)"]}}'],
    ],
    ["is told to its user that the option has no value", ["--settings"]],
    ["gets settings that cannot be read", ["--settings", "absent.json"]],
    ["gets settings that are no JSON", ["--settings", "{"]],
    ["gets hooks that are none", ["--settings", '{"hooks":[]}']],
  ])("%s", async (_, args) => {
    expect(await prepare(args)).toBeNull();
    expect(runFiles()).toEqual([]);
  });

  it.each(["2.0.76", "2.1.200", "3.0.0", "nothing"])("is version %s", async (version) => {
    install(version);
    expect(await prepare()).toBeNull();
  });

  it.each([["absent"], ["sudo"]])("is %s, not the tool itself", async (tool) => {
    if (tool === "sudo") install("2.1.329", tool);
    expect(await prepare([], { tool })).toBeNull();
  });

  it("has rules that mean the same everywhere, and is started with hooks", async () => {
    const rules = ["Edit(//etc/**)", "Read(~/.ssh/**)", "Bash(rm /tmp/x)", "Edit(src/**)"];
    expect(await prepare(["--settings", JSON.stringify({ permissions: { deny: rules } })])).not.toBeNull();
  });

  it.each([
    ["as the value of an option", ["--append-system-prompt", "-p"]],
    ["as a folder", ["--add-dir", "mcp", "stop"]],
    ["as a name", ["-n", "mcp"]],
    ["inside of a text", ["stop the server and rm it"]],
  ])("has the word for another program only %s, and is started with hooks", async (_, args) => {
    const start = await prepare(args);
    expect(start?.args.slice(2)).toEqual(args);
  });

  it("has -p only behind `--`, where it is text, and is started with hooks", async () => {
    expect(await prepare(["--", "-p"])).not.toBeNull();
  });
});
