/**
 * The commands status, prompts, answer, pause, resume, reload and watch work with a hub. They say so without one, start none, and
 * refuse to answer from inside a session.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HubStatus, ListedPrompt } from "../../src/wire/listings.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome } from "../support/hub-home.js";

describe("commands without a hub", () => {
  let home: HubHome;
  beforeAll(() => void (home = new HubHome()));
  afterAll(() => home.close());

  it("say that there is no hub and start none: status succeeds, hub status fails", async () => {
    expect(await home.data("status")).toEqual({
      hub: null,
      sessions: [],
      unconfirmed: [],
      stopped: null,
      problem: null,
    });
    const asked = await home.run("hub", "status", "--json");
    expect(asked.code).toBe(3);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      status: "error",
      error: { code: "ATB_HUB_UNREACHABLE" },
    });
    expect(asked.stderr).toContain("no hub is running");
    expect((await home.run("hub", "stop")).stdout).toBe("No hub is running.\n");
    expect(await home.hubPid()).toBeNull();
  });

  it("that only read start none either", async () => {
    for (const command of ["prompts", "sessions"]) {
      const { code, stderr } = await home.run(command);
      expect(code).toBe(3);
      expect(stderr).toContain("no hub is running (ATB_HUB_UNREACHABLE)");
    }
    expect((await home.run("channel", "list")).stdout).toContain("No channel yet");
    expect((await home.run("people", "list")).stdout).toContain("Nobody yet");
    expect(await home.hubPid()).toBeNull();
  });

  it("show what the hub found wrong in its configuration", async () => {
    writeFileSync(home.paths.config, "people: 7\n");
    const { code, stderr } = await home.run("hub", "start");
    expect(code).toBe(3);
    expect(stderr).toMatch(/the hub could not be started: .*people/);
    const { stdout } = await home.run("status");
    expect(stdout).toMatch(/^No hub is running\. None can be started: .*config\.yaml.*people/);
    expect(stdout).not.toContain("starts one");
  });

  it("do not answer from inside a supervised tool", async () => {
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "some-session" });
    const { code, stderr } = await home.run("answer", "k7", "y");
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "" });
    expect(code).toBe(6);
    expect(stderr).toContain("ATB_SUPERVISED");
  });

  it("know their version and refuse what they do not know", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const asked of ["--version", "-v", "version"])
      expect((await home.run(asked)).stdout).toBe(`${version}\n`);
    expect(await home.run("stauts")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("status") as string,
    });
  });
});

describe("commands with a hub and a session", () => {
  let home: HubHome;
  let worker: FakeWorker;
  beforeAll(async () => {
    home = new HubHome();
    worker = new FakeWorker(home.paths);
    await eventually(() => worker.link.state === "connected");
  });
  afterAll(async () => {
    worker.close();
    await home.close();
  });

  const prompts = (...flags: string[]): Promise<ListedPrompt[]> => home.data("prompts", ...flags);

  it("list an open question with all that programs may rely on", async () => {
    const shortId = await worker.raise({ excerpt: "Run it?" });
    const [prompt] = await prompts();
    expect(Object.keys(prompt ?? {}).sort()).toEqual(
      ["shortId", "promptId", "sessionId", "tool", "type", "safetyClass", "confidence", "excerpt", "content"]
        .concat(["classes", "choices", "defaultChoice", "state", "createdAt", "expiresAt"])
        .sort(),
    );
    expect(prompt).toMatchObject({ shortId, tool: "bash", state: "pending", excerpt: "Run it?" });
    expect(prompt?.choices[2]).toEqual({ index: 3, label: "No", intent: "reject_once" });
    expect(prompt?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect((await home.run("prompts")).stdout).toContain("❯ 1  Yes");
    expect((await home.run("answer", shortId, "3")).code).toBe(0);
  });

  it.each([
    ["answered", 0, "success"],
    ["uncertain", 4, "error"],
    ["failed", 1, "error"],
    ["refused", 1, "error"],
  ] as const)("exit with the right code when the answer is %s", async (outcome, code, status) => {
    worker.outcome = outcome;
    const shortId = await worker.raise();
    const told = await home.run("answer", shortId, "2", "--wait", "--json");
    expect(told.code).toBe(code);
    expect(JSON.parse(told.stdout)).toMatchObject({ status });
    expect(told.stderr !== "").toBe(code !== 0);
  });

  it("refuse an invalid answer with the reason, and leave the prompt open", async () => {
    const shortId = await worker.raise();
    const told = await home.run("answer", shortId, "7");
    expect(told).toMatchObject({ code: 1, stdout: "" });
    expect(told.stderr).toContain("not one of the choices");
    expect((await prompts()).map((prompt) => prompt.shortId)).toContain(shortId);
  });

  it("pause stops every answer, also of the next hub, until resume, which no supervised tool may do", async () => {
    const shortId = await worker.raise();
    expect(await home.run("pause")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Paused") as string,
    });
    expect((await home.run("status")).stdout).toContain("PAUSED");
    expect((await home.run("answer", shortId, "3")).stderr).toContain("paused");
    process.kill(await eventually(() => home.hubPid()), "SIGKILL");
    expect((await home.run("answer", shortId, "3")).stderr).toContain("paused");
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "some-session" });
    const supervised = await home.run("resume");
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "" });
    expect(supervised.code).toBe(6);
    expect((await home.run("resume")).code).toBe(0);
    expect((await home.run("answer", shortId, "3")).code).toBe(0);
  });

  it("watch shows a question and takes its answer as a line", async () => {
    worker.outcome = "answered";
    const watch = home.start("watch");
    let shown = "";
    watch.stdout?.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const shortId = await worker.raise({ excerpt: "Shall I go on?" });
    await eventually(() => shown.includes("Shall I go on?"));
    watch.stdin?.write(`${shortId}\n`);
    await eventually(() => shown.includes(`Your answer to ${shortId}`));
    watch.stdin?.write("2\n");
    await eventually(
      () => worker.replies.some(({ value }) => value === "2") && shown.includes(`${shortId}: ✅`),
    );
    watch.stdin?.write("q\n");
    expect(await new Promise((resolve) => watch.once("close", resolve))).toBe(0);
  });

  it("the hub opens no debugger when it gets a signal", async () => {
    process.kill(await eventually(() => home.hubPid()), "SIGUSR1");
    expect((await home.run("status")).code).toBe(0);
    expect(readFileSync(home.paths.hubLog, "utf8")).not.toContain("Debugger");
  });

  it("reload takes a good configuration, refuses a bad one, and says why", async () => {
    expect((await home.run("hub", "reload")).code).toBe(0);
    writeFileSync(home.paths.config, 'channels: { telegram: { token: "${NOPE_TOKEN}", deliver_to: [1] } }\n');
    const unset = await home.run("hub", "reload");
    expect(unset.stderr).toMatch(
      /NOPE_TOKEN \(ATB_CONFIG_SECRET_MISSING\)\n.*The hub keeps its current configuration and rules\./,
    );
    expect(unset.code).toBe(2);
    writeFileSync(home.paths.config, "people: 7\n");
    expect(await home.run("hub", "reload")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("people") as string,
    });
  });

  it("reload brings this shell's values of the variables in the configuration, and no others", async () => {
    const channels = { telegram: { token: "${MYTOK}", api_root: "http://127.0.0.1:1", deliver_to: [1] } };
    writeFileSync(home.paths.config, JSON.stringify({ channels }));
    const reload = async (value: string): Promise<string> => {
      home.env["MYTOK"] = value;
      return (await home.run("hub", "reload")).stdout;
    };
    expect(await reload("123456:A-first-token")).toContain("Read from this shell: MYTOK.\n");
    expect(await reload("123456:A-second-token")).toContain("Changed: channels.telegram.token.");
    expect(await reload("")).toMatch(
      /Nothing has changed\.\nNot set in this shell, so the hub keeps the values it has: MYTOK\.\n/,
    );
    expect(readFileSync(home.paths.hubLog, "utf8")).not.toContain("second-token");
    // A shell with an older token changes people: the hub keeps its own.
    home.env["MYTOK"] = "123456:A-first-token";
    const added = await home.run("people", "add", "Bo", "telegram:1002", "--role", "viewer");
    expect(added).toMatchObject({ code: 0 });
    home.env["MYTOK"] = "123456:A-second-token";
    expect((await home.run("hub", "reload")).stdout).toContain("Nothing has changed.");
    writeFileSync(home.paths.config, "{}\n");
    expect((await home.run("hub", "reload")).code).toBe(0);
  });

  it("status lists no channel of a configuration that the hub refused", async () => {
    const channels = { telegram: { token: "123456:A-token-of-nobody", deliver_to: [1] } };
    const routes = [{ tools: ["claude"], deliver_to: ["telegram:2"] }];
    writeFileSync(home.paths.config, JSON.stringify({ channels, routes }));
    expect(await home.run("hub", "reload")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("telegram:2") as string,
    });
    const { hub } = await home.data<{ hub: HubStatus }>("status");
    expect(hub.channels.map(({ id }) => id)).toEqual(["cli"]);
  });
});
