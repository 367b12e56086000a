/**
 * A bundle of adapters, made, signed, downloaded and installed by the real command: the next session reads by its rules, one
 * that runs keeps its own, and a rollback gives back what was there.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListedPrompt } from "../../src/wire/listings.js";
import { tinyAdapter } from "../support/bundles/bundle-rig.js";
import { eventually, HubHome } from "../support/hub-home.js";

const DIALOG = "\\r\\nrm -rf build\\r\\n\\r\\nProceed?\\r\\n❯ 1. Yes\\r\\n  2. No\\r\\n\\u001b[2A\\u001b[1G";
/** Says that it is ready, and asks as soon as a file is there. */
const TOOL = `#!/usr/bin/env node
import { existsSync, writeFileSync } from "node:fs";
process.stdin.setRawMode(true);
process.stdin.resume();
process.stdin.on("data", () => process.exit(0));
writeFileSync(process.argv[2] + ".ready", "");
const wait = setInterval(() => {
  if (!existsSync(process.argv[2])) return;
  clearInterval(wait);
  process.stdout.write("${DIALOG}");
}, 20);
`;
const ASKS = {
  tool: "tiny",
  scenario_id: "tiny_proceed",
  pty_output: JSON.parse(`"${DIALOG}"`) as string,
  expected_type: "multiple_choice",
  expected_choices: ["Yes", "No"],
};
const QUIET = { tool: "tiny", scenario_id: "tiny_quiet", pty_output: "compiling\r\n", expected_type: null };

describe("atlasbridge adapter update", () => {
  let home: HubHome;
  let server: Server;
  const put = (path: string, text: string): string => {
    const file = join(home.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const at = (path: string): string => join(home.folder, path);
  const make = (number: number, adapter: string) =>
    home.run(
      ...["adapter", "bundle", put("made/tiny.yaml", adapter), "--name", "acme", "--number", String(number)],
      ...["--key", at("key.pem"), "--scenarios", at("made"), "--out", at(`acme-${number}.json`)],
    );
  const asked = async (trigger: string): Promise<ListedPrompt> => {
    await eventually(() => existsSync(`${trigger}.ready`));
    writeFileSync(trigger, "");
    return eventually(async () => (await home.data<ListedPrompt[]>("prompts"))[0] ?? null);
  };

  beforeAll(async () => {
    home = new HubHome();
    chmodSync(put("bin/tiny", TOOL), 0o755);
    put("bin/package.json", '{ "type": "module" }');
    Object.assign(home.env, { PATH: `${at("bin")}:${process.env.PATH ?? ""}` });
    put("made/asks.json", JSON.stringify(ASKS));
    put("made/quiet.json", JSON.stringify(QUIET));
    server = createServer((request, response) => {
      const file = at(request.url ?? "");
      response.writeHead(existsSync(file) ? 200 : 404).end(existsSync(file) ? readFileSync(file) : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await home.close();
  });

  it("installs from an address what a trusted key has signed", async () => {
    const { stdout } = await home.run("adapter", "keygen", "--out", at("key.pem"));
    const key = /"(ed25519:[^"]+)"/.exec(stdout)?.[1] ?? "";
    expect((await make(1, tinyAdapter("tiny", "1.0.0"))).stdout).toMatch(
      /^✓ tiny {2}rules: 1, scenarios: 2\n/,
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme-1.json`;
    const refused = await home.run("adapter", "update", "--from", url);
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining("trusted: no key") as string });
    put("config.yaml", JSON.stringify({ adapters: { trusted_keys: [{ name: "acme", key }] } }));
    const installed = await home.run("adapter", "update", "--from", url);
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(installed.stdout).toContain("  tiny  new → 1.0.0\n    rules added: proceed\nInstalled.");
    expect((await home.run("adapter", "list")).stdout).toMatch(/^tiny .*\(bundle acme 1 by acme\)$/m);
    expect((await home.run("doctor")).stdout).toContain("ok    bundle:acme: version 1, signed by acme: tiny");
  });

  it("leaves a session that runs with its rules", async () => {
    const trigger = at("first");
    const run = home.start("run", "tiny", trigger);
    await eventually(() => existsSync(`${trigger}.ready`));
    const changed = tinyAdapter("tiny", "1.1.0").replace("class: permission", "class: question");
    expect((await make(2, changed)).code).toBe(0);
    const updated = await home.run("adapter", "update", "--from", at("acme-2.json"));
    expect(updated.stdout).toContain(
      "tiny  1.0.0 (bundle acme 1 by acme) → 1.1.0\n    rules changed: proceed",
    );
    expect(await asked(trigger)).toMatchObject({ safetyClass: "permission" });
    run.stdin?.write("x");
    await eventually(() => run.exitCode !== null);
  });

  it("gives the next session the new rules, and the old ones after a rollback", async () => {
    for (const [name, safetyClass] of [
      ["second", "question"],
      ["third", "permission"],
    ] as const) {
      const run = home.start("run", "tiny", at(name));
      expect(await asked(at(name))).toMatchObject({ safetyClass });
      run.stdin?.write("x");
      await eventually(() => run.exitCode !== null);
      if (name === "second")
        expect((await home.run("adapter", "update", "--rollback")).stdout).toBe(
          "Bundle acme: version 1 is used instead of 2.\n",
        );
    }
  });

  it("says what is left after a rollback to none", async () => {
    expect((await home.run("adapter", "update", "--rollback")).stdout).toBe(
      "Bundle acme 1 is no longer used. Instead of its adapters:\n  tiny: no adapter any more\n",
    );
  });

  it("is refused inside a session, and without saying what to do", async () => {
    home.env.ATLASBRIDGE_SESSION = "s1";
    expect(await home.run("adapter", "update", "--rollback")).toMatchObject({ code: 6 });
    home.env.ATLASBRIDGE_SESSION = "";
    expect((await home.run("adapter", "update")).stderr).toContain(
      "give either --from FILE|URL or --rollback",
    );
  });
});
