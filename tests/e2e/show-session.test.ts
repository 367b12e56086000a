/** `sessions SESSION` shows what the worker of that session knows of its tool, and says when the session does not run. */
import { describe, expect, it } from "vitest";
import type { HubOverview } from "../../src/client/manage-hub.js";
import type { Diagnosis } from "../../src/doctor/check.js";
import type { ShownSession } from "../../src/client/ask-hub.js";
import { eventually, HubHome } from "../support/hub-home.js";

describe("atlasbridge sessions SESSION", () => {
  it("shows what the session's worker knows of its tool, before and after an answer", async () => {
    const home = new HubHome();
    try {
      home.start("run", "--label", "mine", "sh", "-c", 'printf "Go on? [y/N] "; read a; sleep 600');
      await eventually(async () => (await home.run("prompts")).stdout.includes("Go on?"));
      const unknown = await home.run("sessions", "mime");
      expect(unknown.stderr).toContain('Did you mean "mine"?');
      const asking = await home.data<ShownSession>("sessions", "mine");
      expect(asking).toMatchObject({ label: "mine", openPrompts: 1 });
      expect(asking.snapshot).toMatchObject({
        sessionId: asking.sessionId,
        state: "awaiting_response",
        waitsForInput: true,
        promptCount: 1,
        ptyAlive: true,
      });
      expect(() => process.kill(asking.snapshot.pid ?? 0, 0)).not.toThrow();
      expect((await home.run("sessions", "mine")).stdout).toContain("tool: waits for an answer, process");
      const { stdout: status } = await home.run("status");
      expect(status).toMatch(/^ {4}1 prompt so far, last output \d+ (?:s|min) ago$/m);
      expect(status).not.toContain("⚠ it does not respond");
      expect((await home.data<HubOverview>("status")).sessions).toMatchObject([
        { snapshot: { troubles: [] } },
      ]);
      const { checks } = await home.data<Diagnosis>("doctor");
      expect(checks).toContainEqual(
        expect.objectContaining({
          name: "sessions",
          state: "ok",
          found: expect.stringMatching(/^1 healthy/) as string,
        }),
      );
      const [prompt] = await home.data<{ shortId: string }[]>("prompts");
      await home.run("answer", prompt?.shortId ?? "", "n");
      await eventually(async () =>
        (await home.run("sessions", "mine")).stdout.includes("tool: running, process"),
      );
    } finally {
      await home.close();
    }
  });

  it("says that no session is running", async () => {
    const home = new HubHome();
    try {
      home.start("run", "sh", "-c", "exit 0");
      await eventually(async () => (await home.run("hub", "status")).code === 0);
      await eventually(async () => (await home.run("sessions")).stdout.includes("No sessions."));
      const { code, stderr } = await home.run("sessions", "mine");
      expect(code).toBe(1);
      expect(stderr).toContain("no session is running");
    } finally {
      await home.close();
    }
  });
});
