/** The people of the Slack emulator act only as the client allows. The emulator limits its calls and fails on demand. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../support/slack/json.js";
import { actions, button, readError, input, modal, options, plain, useService } from "./service.js";

describe("the Slack emulator: people and troubles", () => {
  const service = useService();

  it("answers through a response address five times, for half an hour, and only to one person", async () => {
    await service.open({ responseLifeMs: 60_000 });
    const path = service.slack.world.responses.issue("C0WORK", "U0ARA");
    const say = async (body: Json, at = path): Promise<number> =>
      (await fetch(`${service.slack.world.origin()}${at}`, { method: "POST", body: JSON.stringify(body) }))
        .status;
    const quiet = { response_type: "ephemeral", text: "psst" };
    expect(await say({ response_type: "in_channel", text: "loud" })).toBe(500);
    expect(await say({ response_type: "ephemeral" })).toBe(400);
    for (let use = 3; use <= 5; use += 1) expect(await say(quiet)).toBe(200);
    expect(await say(quiet)).toBe(404);
    expect(await say(quiet, "/actions/T0TEAM/none")).toBe(404);
    await service.open({ responseLifeMs: -1 });
    expect(await say(quiet, service.slack.world.responses.issue("C0WORK", "U0ARA"))).toBe(404);
  });

  it("limits the rate of calls, for each channel by itself", async () => {
    await service.open({ rates: { "chat.postMessage": { perSecond: 1, burst: 1 } } });
    service.slack.channel("C0OTHER", [service.ara]);
    expect((await service.post()).status).toBe(200);
    expect(await service.post()).toMatchObject({
      status: 429,
      retryAfter: "1",
      body: { error: "ratelimited" },
    });
    expect((await service.post({ channel: "C0OTHER" })).status).toBe(200);
  });

  describe("fails on demand", () => {
    it.each([
      [{ error: "fatal_error" }, 200],
      [{ status: 503 }, 503],
      [{ status: 429, retryAfter: 7 }, 429],
    ] as const)("%j", async (fault, status) => {
      service.slack.failNext("chat.postMessage", fault);
      expect((await service.post()).status).toBe(status);
      expect(service.slack.messages("C0WORK")).toEqual([]);
      expect(readError(await service.post())).toBe("ok");
    });

    it.each(["drop", "drop-after-effect"] as const)("%s", async (fault) => {
      service.slack.failNext("*", fault);
      await expect(service.post()).rejects.toThrow();
      expect(service.slack.messages("C0WORK")).toHaveLength(fault === "drop" ? 0 : 1);
    });

    it("hollow, garbage and hanging replies", async () => {
      service.slack.failNext("chat.postMessage", "hollow");
      expect((await service.post()).body).toEqual({ ok: true });
      service.slack.failNext("chat.postMessage", "garbage");
      await expect(service.post()).rejects.toThrow();
      for (const fault of ["hang", "hang-after-effect"] as const) {
        service.slack.failNext("chat.postMessage", fault);
        const before = service.slack.messages("C0WORK").length;
        void service.post().catch(() => undefined);
        await service.slack.waitFor(
          () => service.slack.requests.at(-1)?.status === null && service.slack.faultsLeft === 0,
          "the call",
        );
        expect(service.slack.messages("C0WORK").length - before).toBe(fault === "hang" ? 0 : 1);
      }
    });

    it("a whole outage", async () => {
      await service.slack.outage();
      await expect(service.post()).rejects.toThrow();
      await service.slack.restore();
      expect(readError(await service.post())).toBe("ok");
    });
  });

  describe("people", () => {
    const card = async (over: Json = {}) => {
      await service.post({ blocks: [actions(button(over))] });
      return service.slack.posts("C0WORK").at(-1)!;
    };

    it("press only what they see, and are asked where the client asks", async () => {
      const message = await card({
        confirm: { title: plain("?"), text: plain("x"), confirm: plain("y"), deny: plain("n") },
      });
      expect(() => service.ara.press(message, "No")).toThrow("shows no button");
      expect(() => service.ara.press(message, 0)).toThrow("asks first");
      expect(await service.ara.press(message, 0, { sure: false }).ack).toEqual({ kind: "unsent" });
      expect(service.slack.world.gateway.records).toEqual([]);
    });

    it("see that it failed when no program is connected", async () => {
      expect(await service.ara.press(await card(), 0).ack).toEqual({ kind: "unsent" });
    });

    it("have no command and cause no event that the manifest does not name", async () => {
      expect(() => service.ara.command("x", { command: "/deploy" })).toThrow("has no command");
      const manifest = structuredClone(service.slack.world.manifest);
      Object.assign(manifest.settings, { event_subscriptions: { bot_events: [] } });
      await service.open({ manifest });
      service.ara.say("hello");
      service.ara.openHome();
      expect(service.slack.world.gateway.records).toEqual([]);
    });

    it("cannot send a form that lacks something", async () => {
      const text = input({ type: "plain_text_input", action_id: "v", max_length: 3 });
      const pick = input({ type: "radio_buttons", action_id: "p", options: options(2) });
      await service.openView(modal([text]));
      expect(() => service.ara.submit({})).toThrow("wants a text");
      expect(() => service.ara.submit({ text: "abcd" })).toThrow("no longer text");
      expect(() => service.ara.submit({ text: "a\nb" })).toThrow("one line");
      await service.openView(modal([pick]));
      expect(() => service.ara.submit({})).toThrow("wants an option");
    });
  });
});
