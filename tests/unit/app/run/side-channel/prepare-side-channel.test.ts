/**
 * A tool whose interface has a server is started with a server on the loopback and a password for this run that is in no
 * argument. It is started as typed where its user has settings for a server, and in other versions.
 */
import { makeTestFolder } from "../../../../support/temporary-folder.js";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { AttachTarget } from "../../../../../src/worker/runtimes/attachment/attachment.js";
import { findAttachTarget } from "../../../../../src/app/run/side-channel/find-attach-target.js";
import { prepareSideChannel } from "../../../../../src/app/run/side-channel/prepare-side-channel.js";
import { resolvePaths } from "../../../../../src/config/paths.js";
import { notLinux, skipped } from "../../../../support/skipped.js";
import { shippedAdapter } from "../../../worker/detection/screens.js";

let folder = "";
beforeEach(() => {
  folder = makeTestFolder("join");
  install("1.18.33");
});

/** A tool of this name that tells its version and does nothing else. */
function install(version: string, tool = "opencode"): void {
  const file = join(folder, tool);
  writeFileSync(file, `#!/bin/sh\necho asked >> '${folder}/asked'\necho ${version}\n`);
  chmodSync(file, 0o700);
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>, tool = "opencode") {
  return {
    adapter: shippedAdapter(tool),
    tool,
    args,
    cwd: join(folder, "repo", "src"),
    environment: { PATH: `${folder}:${process.env["PATH"]}`, HOME: join(folder, "me"), ...environment },
    isolated: false,
    paths: resolvePaths({
      env: { ATLASBRIDGE_HOME: join(folder, "home") },
      userHome: folder,
      tmpDir: folder,
      uid: process.getuid?.() ?? 0,
    }),
  };
}

const prepare = (args: readonly string[] = [], environment = {}): Promise<AttachTarget | null> =>
  findAttachTarget(start(args, environment));

function write(file: string, text: string): string {
  const place = join(folder, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

describe.skipIf(skipped(notLinux))("a tool whose interface has a server in it", () => {
  it("listens on the loopback alone, with a password of the run that is in no argument", async () => {
    const given = ["--model", "run", "-c"];
    const places = [await prepare(given), await prepare(given)];
    const passwords = places.map((place) => {
      const { args, environment } = place?.start ?? { args: [], environment: {} };
      expect(args).toEqual(["--hostname", "127.0.0.1", "--port", "0", ...given]);
      const { OPENCODE_SERVER_PASSWORD: password = "", ...others } = environment;
      expect(others).toEqual({ OPENCODE_SERVER_USERNAME: "atlasbridge" });
      expect(args.join(" ")).not.toContain(password);
      return password;
    });
    expect(passwords[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(passwords[0]).not.toBe(passwords[1]);
  });

  it.each([
    [["--port", "4096"]],
    [["--port=0"]],
    [["--hostname", "0.0.0.0"]],
    [["--mdns"]],
    [["--auto"]],
    [["--mini"]],
    [["attach", "http://127.0.0.1:4096"]],
    [["run", "do it"]],
    [["serve"]],
    [["-m", "a/b", "web"]],
    [["upgrade"]],
    [["--version"]],
    [["../elsewhere"]],
    [["--", "../elsewhere"]],
  ])("is started as it was typed with %j", async (args) => {
    expect(await prepare(args)).toBeNull();
    expect(await prepareSideChannel(start(args, {}))).toEqual({ joined: null, hooked: null });
  });

  it.each(["1.17.9", "1.19.0", "2.0.0", "unknown"])("is left alone in version %s", async (version) => {
    install(version);
    expect(await prepare()).toBeNull();
  });

  it("is left alone where its user has a password or a name for such a server", async () => {
    expect(await prepare([], { OPENCODE_SERVER_PASSWORD: "mine" })).toBeNull();
    expect(await prepare([], { OPENCODE_SERVER_USERNAME: "me" })).toBeNull();
    expect(await prepare([], { OPENCODE_SERVER_PASSWORD: "" })).not.toBeNull();
  });

  it.each([
    "me/.config/opencode/opencode.json",
    "me/.config/opencode/opencode.jsonc",
    "repo/opencode.json",
    "repo/src/opencode.jsonc",
    "repo/.opencode/opencode.json",
  ])("is left alone where %s has settings for its server", async (file) => {
    write(file, '{ "model": "a/b" }');
    expect(await prepare()).not.toBeNull();
    write(file, '{ // mine\n  "server" : { "port": 4096 } }');
    expect(await prepare()).toBeNull();
  });

  it("is left alone where settings that a variable names, or holds, have them", async () => {
    const file = write("elsewhere/mine.json", '{"server":{}}');
    expect(await prepare([], { OPENCODE_CONFIG: file })).toBeNull();
    expect(await prepare([], { OPENCODE_CONFIG: "../../elsewhere/mine.json" })).toBeNull();
    expect(await prepare([], { OPENCODE_CONFIG_CONTENT: '{"server":{"port":1}}' })).toBeNull();
    expect(await prepare([], { OPENCODE_CONFIG_CONTENT: '{"model":"a/b"}' })).not.toBeNull();
  });

  it("is left alone where its settings cannot be read", async () => {
    mkdirSync(join(folder, "repo/opencode.json"), { recursive: true });
    expect(await prepare()).toBeNull();
  });
});

describe("a tool that could be joined, or started with hooks", () => {
  it("is asked for its version once for both", async () => {
    install("0.1.0", "codex");
    expect(await prepareSideChannel(start([], {}, "codex"))).toEqual({ joined: null, hooked: null });
    expect(readFileSync(join(folder, "asked"), "utf8")).toBe("asked\n");
  });
});
