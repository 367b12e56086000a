/**
 * A tool whose settings a variable names, or that trusts hooks by their hash, or that takes them from a plugin, is started with our hooks
 * merged in, and without them where that cannot be done.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareHooks, type HookedStart } from "../../../../../src/app/run/side-channel/prepare-hooks.js";
import { resolvePaths } from "../../../../../src/config/paths.js";
import { shippedAdapter } from "../../detection/screens.js";

let folder = "";
const prepared: HookedStart[] = [];

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "place-"))));
afterEach(() => {
  for (const start of prepared.splice(0)) start.dispose();
  rmSync(folder, { recursive: true });
});

/** A tool of this name that tells its version and does nothing else. */
async function prepare(name: string, version: string, args: readonly string[] = [], environment = {}) {
  writeFileSync(join(folder, name), `#!/bin/sh\necho ${version}\n`);
  chmodSync(join(folder, name), 0o700);
  const start = await prepareHooks({
    adapter: shippedAdapter(name),
    tool: name,
    args,
    cwd: folder,
    environment: { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, ...environment },
    isolated: false,
    paths: resolvePaths({
      env: { ATLASBRIDGE_HOME: join(folder, "home") },
      userHome: folder,
      tmpDir: folder,
      uid: process.getuid?.() ?? 0,
    }),
  });
  if (start) prepared.push(start);
  return start;
}

const VARIABLE = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";

interface Settings {
  readonly ui?: unknown;
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly unknown[] }[]>>;
}

const settingsIn = (start: HookedStart | null): Settings =>
  JSON.parse(readFileSync(start?.environment[VARIABLE] ?? "", "utf8")) as Settings;

describe("a tool whose settings a variable names", () => {
  it("is started as it was typed, with a file of ours in that variable and no secret in it", async () => {
    const start = await prepare("qwen", "0.24.4", ["-i", "hi"]);
    expect(start?.args).toEqual(["-i", "hi"]);
    expect(start?.access.callers).toBe("commands");
    const [asked] = settingsIn(start).hooks["PermissionRequest"] ?? [];
    expect(asked?.hooks).toEqual([
      { type: "command", name: "atlasbridge", command: expect.stringContaining(" hook ") as string },
    ]);
    expect(JSON.stringify(settingsIn(start))).not.toContain(start?.access.secret);
  });

  it.each([
    ["that the variable names", (file: string) => ({ [VARIABLE]: file })],
    [
      "that lies where the tool looks else",
      (file: string) => ({ QWEN_CODE_SYSTEM_SETTINGS_PATH: join(file, "../settings.json") }),
    ],
  ])("keeps the file %s: it is merged, and as it was", async (_, environment) => {
    const mine = join(folder, "system-defaults.json");
    const own = {
      ui: { theme: "Ayu" },
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    };
    writeFileSync(mine, JSON.stringify(own, null, 3));
    const before = readFileSync(mine);
    const start = await prepare("qwen", "0.24.4", [], environment(mine));
    const settings = settingsIn(start);
    expect(settings.ui).toEqual(own.ui);
    expect(settings.hooks["Stop"]?.[0]).toEqual(own.hooks.Stop[0]);
    expect(settings.hooks["Stop"]).toHaveLength(2);
    expect(readFileSync(mine).equals(before)).toBe(true);
  });

  it("is started without hooks where its file cannot be read", async () => {
    writeFileSync(join(folder, "mine.json"), "{ // a comment");
    expect(await prepare("qwen", "0.24.4", [], { [VARIABLE]: join(folder, "mine.json") })).toBeNull();
  });
});

describe("a tool that trusts hooks by their hash", () => {
  it("gets ours and the trust in them before all that was typed", async () => {
    const start = await prepare("codex", "0.169.0", ["resume", "--last"]);
    const [option, value = "", ...rest] = start?.args ?? [];
    expect([option, ...rest]).toEqual(["-c", "resume", "--last"]);
    expect(value).toMatch(
      /^hooks=\{PermissionRequest=.*,Stop=.*,state=\{"\/<session-flags>\/config\.toml:permission_request:0:0"=\{trusted_hash="sha256:/,
    );
    expect(value).not.toContain(start?.access.secret);
    expect(start?.environment).toEqual({});
  });

  it.each([
    ["gives hooks there as well", ["-c", 'hooks.Stop=[{hooks=[{type="command",command="mine"}]}]']],
    ["gives hooks there in one word", ["--config=hooks={}"]],
    ["starts another program of it", ["-m", "gpt", "exec", "hi"]],
  ])("is left alone where its user %s", async (_, args) => {
    expect(await prepare("codex", "0.169.0", args)).toBeNull();
  });

  it("keeps other settings that are overridden", async () => {
    const args = ["-c", 'model="o3"', "hi"];
    expect((await prepare("codex", "0.169.0", args))?.args.slice(2)).toEqual(args);
  });

  it.each(["0.168.9", "0.170.0"])("is left alone in version %s, whose hash is unknown", async (version) => {
    expect(await prepare("codex", version)).toBeNull();
  });
});

describe("a tool that takes hooks from a plugin", () => {
  const readHooks = (plugin = "") => JSON.parse(readFileSync(join(plugin, "hooks.json"), "utf8")) as Settings;

  it("gets ours before all that was typed, beside the user's own, in a folder that is the same for every run", async () => {
    const args = ["--plugin-dir", "mine", "--allow-tool", "write", "-i", "-p"];
    const start = await prepare("copilot", "GitHub Copilot CLI 1.0.102.", args);
    const [option, plugin = "", ...rest] = start?.args ?? [];
    expect([option, ...rest]).toEqual(["--plugin-dir", ...args]);
    expect(start?.access.callers).toBe("commands");
    expect(readdirSync(plugin).sort()).toEqual(["hooks.json", "plugin.json"]);
    expect(statSync(plugin).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(plugin)) expect(statSync(join(plugin, name)).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(plugin, "hooks.json"));
    const again = await prepare("copilot", "GitHub Copilot CLI 1.0.102.");
    expect(again?.args).toEqual(["--plugin-dir", plugin]);
    expect(again?.environment).not.toEqual(start?.environment);
    expect(readFileSync(join(plugin, "hooks.json")).equals(before)).toBe(true);
    for (const one of prepared.splice(0)) one.dispose();
    expect(readdirSync(plugin)).toHaveLength(2);
  });

  it("runs the command of its run, and succeeds where that fails, as the tool would deny everything then", async () => {
    const start = await prepare("copilot", "1.0.102");
    const plugin = start?.args[1];
    expect(Object.keys(readHooks(plugin).hooks)).toEqual(["permissionRequest"]);
    const [hook] = readHooks(plugin).hooks["permissionRequest"]?.[0]?.hooks as { command: string }[];
    expect(start?.environment["ATB_HOOK"]).toContain(" hook ");
    const run = (command: string) =>
      execFileSync("sh", ["-c", hook?.command ?? ""], {
        env: { ATB_HOOK: command },
        stdio: ["ignore", "pipe", "ignore"],
      }).toString();
    expect(run("'echo' 'it''s'")).toBe("its\n");
    for (const failing of ["'/no/such/node' 'hook'", "'false'", "'sh' '-c' 'kill $$'", ""]) run(failing);
  });

  it.each([
    ["in a version that does not have them", "1.0.89", []],
    ["with a flag with which it asks nobody", "1.0.102", ["--yolo"]],
    ["with a task and without an interface", "1.0.102", ["-p", "hi"]],
    ["as another program of it", "1.0.102", ["--model", "gpt", "mcp", "list"]],
  ])("is left alone %s", async (_, version, args) => {
    expect(await prepare("copilot", version, args)).toBeNull();
  });
});
