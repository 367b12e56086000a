/**
 * A hub that does not respond is reported as such, with its process. Its process is stopped here and may go on at any time, so no
 * command says that there is no hub.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome } from "../support/hub-home.js";

describe("a hub that does not respond", () => {
  let home: HubHome;
  let worker: FakeWorker;
  let pid: number;
  beforeEach(async () => {
    home = new HubHome();
    worker = new FakeWorker(home.paths);
    await eventually(() => worker.link.state === "connected");
    pid = await eventually(() => home.hubPid());
  });
  afterEach(async () => {
    process.kill(pid, "SIGCONT");
    worker.close();
    await home.close();
  });

  it.each([["status"], ["hub", "status"], ["hub", "stop"], ["hub", "reload"], ["hub", "start"]])(
    "is reported as not responding, with its process and what to do: %s %s",
    async (...command) => {
      process.kill(pid, "SIGSTOP");
      const { code, stdout, stderr } = await home.run(...command.filter(Boolean));
      expect(stderr).toContain(`the hub (process ${pid}) has not responded within 3 s`);
      expect(stderr).toContain(`kill -9 ${pid}`);
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    },
  );

  it("keeps `watch` waiting, which does not say meanwhile that there are no prompts", async () => {
    const before = home.start("watch");
    let early = "";
    before.stdout?.on("data", (chunk: Buffer) => (early += chunk.toString()));
    await worker.raise({ excerpt: "Shall I go on?" });
    await eventually(() => early.includes("Shall I go on?"));

    process.kill(pid, "SIGSTOP");
    const watch = home.start("watch");
    let shown = "";
    watch.stdout?.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    watch.stdin?.write("l\nzz 1\n");
    const unknown = "Unknown: the hub has not responded yet.\n";
    await eventually(() => shown.includes(`${unknown}${unknown}`));
    await eventually(() => shown.includes(`Waiting: the hub (process ${pid}) has not responded within 3 s`));
    // One that was connected finds it out, too.
    await eventually(() => early.includes("Waiting: the hub stopped responding."));
    process.kill(pid, "SIGCONT");
    await eventually(() => shown.includes("Shall I go on?"));
    await eventually(() => /Waiting[^]*Connected\./.test(early));
    expect(`${early}${shown}`).not.toContain("No open prompts");
  });
});
