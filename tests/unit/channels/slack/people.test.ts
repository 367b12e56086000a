/** People in Slack are told the result of each tap, command and form where only they see it. A form opens only for those who may answer. */
import type { PromptNotice, Token } from "../../../../src/sdk/channel.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InboundResponse } from "../../../../src/sdk/channel.js";
import type { DeliveryRef } from "../../../../src/sdk/delivery-ref.js";
import { freeTextNotice, promptNotice, SESSION, textNotice } from "../../../../src/compat/testing/notices.js";
import { openSlack, type SlackBench } from "../../../contract/channel/slack-bench.js";
import { readable } from "../../../support/slack/conversations.js";
import type { Json } from "../../../support/slack/json.js";
import { listButtons } from "../../../support/slack/payloads.js";
import { CARDS } from "./notices.js";

const TOLD: InboundResponse = { text: "Yes <noted> & *bold* @here", alert: false };

describe("people in Slack", () => {
  let bench: SlackBench;

  beforeEach(async () => {
    bench = await openSlack();
    await bench.channel.start(bench.host);
    await bench.until(() => bench.host.state === "connected", "a connection");
  });
  afterEach(() => bench.stop());

  const ephemerals = () => bench.slack.world.conversations.ephemerals;
  const meanings = () => bench.host.meanings(bench.channel).filter((meaning) => meaning !== null);
  const answerAll = (answer = TOLD): void => {
    bench.host.onUpdate = (raw) => void bench.channel.respond(raw, answer);
  };
  const deliver = (notice: PromptNotice = promptNotice(bench.place)): Promise<DeliveryRef> =>
    bench.channel.deliver(notice);
  const until = (probe: () => boolean, what: string): Promise<void> => bench.until(probe, what);
  const home = (): string => readable((bench.ara.home?.["blocks"] as Json[] | undefined) ?? []);

  describe("get a reply", () => {
    it("about a tap, alone, in its thread, and word for word", async () => {
      answerAll();
      const card = bench.post(await deliver());
      await bench.ara.press(card, 0).told();
      const [said] = ephemerals();
      expect(said).toMatchObject({ user: "U0ARA", channel: bench.place, threadTs: card.threadTs });
      expect(readable(said!.blocks)).toBe(TOLD.text);
      expect(said!.text).toBe("Yes &lt;noted&gt; &amp; *bold* @here");
    });

    it("about a command, also where the app is not", async () => {
      answerAll();
      bench.slack.channel("C0ELSE", [bench.ara], { invited: false });
      expect(await bench.ara.command("prompts", { channel: "C0ELSE" }).told()).toContain("noted");
    });

    it("about a form, beside the card", async () => {
      answerAll();
      const card = bench.post(await deliver(freeTextNotice(bench.place)));
      bench.ara.press(card, "💬 Answer…");
      await bench.ara.openForm();
      await bench.ara.submit({ text: "atlas" }).told();
      expect(ephemerals().at(-1)).toMatchObject({ user: "U0ARA", threadTs: card.threadTs, via: null });
    });

    it("about words to the app in its own conversation, as a lasting message", async () => {
      answerAll();
      bench.ara.say("hello");
      await until(() => bench.slack.posts(bench.ara.im!).length === 1, "the answer");
      expect(readable(bench.slack.posts(bench.ara.im!)[0]!.blocks)).toBe(TOLD.text);
    });

    it("about words to the app in a channel, alone", async () => {
      answerAll();
      const said = bench.ara.mention(bench.place, "hello");
      await until(() => ephemerals().length === 1, "the answer");
      expect(ephemerals()[0]).toMatchObject({ user: "U0ARA", channel: bench.place });
      expect(said.threadTs).toBeNull();
    });

    it("about words in a channel, for all to see if it has buttons, which are settled like a card's", async () => {
      const buttons = [{ token: "k7" as Token, label: "k7: “Yes”" }];
      const posted = new Promise<DeliveryRef | null>((resolve) => {
        bench.host.onUpdate = (raw) =>
          void bench.channel.respond(raw, { ...TOLD, buttons }).then(resolve, () => resolve(null));
      });
      bench.ara.mention(bench.place, "yes");
      const ref = (await posted)!;
      expect([ephemerals(), listButtons(bench.post(ref))]).toMatchObject([[], [{ value: "k7" }]]);
      const notice = textNotice(bench.place, "k7  mytool: Overwrite?");
      await bench.channel.settle(ref, notice, { state: "withdrawn", text: "⌨️ Answered", final: true });
      expect(readable(bench.post(ref).blocks)).toContain("⌨️ Answered");
      expect(listButtons(bench.post(ref))).toEqual([]);
    });

    it("nothing when there is nothing to say", async () => {
      answerAll({ text: "", alert: false });
      await bench.ara.press(bench.post(await deliver()), 0).ack;
      expect(bench.slack.listRequests("response")).toEqual([]);
    });

    it("once more when the first try was lost, and not for ever", async () => {
      answerAll();
      const card = bench.post(await deliver());
      bench.slack.failNext("response", "drop");
      expect(await bench.ara.press(card, 0).told()).toContain("noted");
      bench.slack.failNext("response", { status: 500 }, 2);
      await bench.ara.press(card, 0).ack;
      await until(
        () => bench.host.lines.some(({ message }) => message.includes("not delivered")),
        "the failure",
      );
      expect(bench.slack.faultsLeft).toBe(0);
    });

    it("nothing at an address that is not the service's", async () => {
      const { origin } = bench.slack.world;
      const card = bench.post(await deliver());
      bench.slack.world.origin = () => "http://198.51.100.7:1";
      await bench.ara.press(card, 0).ack;
      bench.slack.world.origin = origin;
      const [raw] = [...bench.host.updates.values()];
      await bench.channel.respond(raw, TOLD);
      expect(bench.slack.listRequests("response")).toEqual([]);
    });
  });

  describe("fill in a form", () => {
    const fillIn = async (
      name: string,
      filling: Parameters<typeof bench.ara.submit>[0],
    ): Promise<unknown> => {
      const { notice } = CARDS[name]!;
      const card = bench.post(await deliver(notice));
      const opener = listButtons(card).find(({ action_id: id }) => id === "form")!;
      bench.ara.pressButton(card, opener);
      await bench.ara.openForm();
      expect(await bench.ara.submit(filling).ack).toMatchObject({ kind: "acked" });
      await until(() => meanings().length === 1, "the submission");
      return meanings()[0];
    };

    it.each<[string, { text?: string; options?: string[] }, string]>([
      ["free-text", { text: "my <package> & more" }, "my <package> & more"],
      ["check-list", { options: ["1. src/a.ts", "2. src/b.ts"] }, "1,2"],
      ["check-list", {}, "none"],
      ["many-choices", { options: ["38. model-38"] }, "38"],
      ["long-labels", { text: "use tabs" }, "3: use tabs"],
      ["unknown", { text: "q" }, "text:q"],
      ["form", { text: "atlas", options: ["2. SQLite", "1. unit", "2. e2e"] }, "2\n1,2\natlas\natlas"],
    ])("%s, and it says what the hub understands", async (name, filling, text) => {
      expect(await fillIn(name, filling)).toMatchObject({
        kind: "text_reply",
        text,
        deliveryId: "delivery-1",
        place: bench.place,
      });
    });

    it("that closes once we have heard of it", async () => {
      await fillIn("free-text", { text: "x" });
      expect(bench.ara.form).toBeUndefined();
    });

    it("not when the question is settled: they are told", async () => {
      const notice = freeTextNotice(bench.place);
      const card = bench.post(await deliver(notice));
      bench.host.open.delete(notice.deliveryId);
      expect(await bench.ara.press(card, "💬 Answer…").told()).toBe("This prompt is no longer open.");
      expect(bench.ara.form).toBeUndefined();
    });

    it.each(["expired_trigger_id", "internal_error"])(
      "not when that came too late (%s): they are told",
      async (error) => {
        const card = bench.post(await deliver(freeTextNotice(bench.place)));
        bench.slack.failNext("views.open", { error });
        expect(await bench.ara.press(card, "💬 Answer…").told()).toMatch(/press the button again/);
      },
    );

    it.each(["missing_scope", "invalid_arguments"])(
      "not when it is refused for good (%s): they are told why, and another way",
      async (error) => {
        const card = bench.post(await deliver(freeTextNotice(bench.place)));
        bench.slack.failNext("views.open", { error });
        const told = await bench.ara.press(card, "💬 Answer…").told();
        expect(told).toContain(error);
        expect(told).toMatch(/\/atlasbridge answer \S+ … instead/);
        expect(told).not.toMatch(/in time|once more/);
      },
    );

    it("once for a press that the service repeated", async () => {
      const card = bench.post(await deliver(freeTextNotice(bench.place)));
      bench.ara.press(card, "💬 Answer…");
      await bench.ara.openForm();
      bench.slack.world.gateway.repeatLast();
      await until(() => bench.slack.world.gateway.records[1]?.ackedAt !== null, "the repetition");
      expect(bench.slack.listRequests("views.open")).toHaveLength(1);
    });

    it("after a restart of ours in between, and it means the same", async () => {
      const card = bench.post(await deliver(freeTextNotice(bench.place)));
      bench.ara.press(card, "💬 Answer…");
      await bench.ara.openForm();
      await bench.channel.stop();
      const survivor = bench.again();
      await survivor.start(bench.host);
      await until(() => bench.host.state === "connected", "a connection");
      await bench.ara.submit({ text: "atlas" }).ack;
      await until(() => meanings().length === 1, "the submission");
      expect(meanings()[0]).toMatchObject({
        kind: "text_reply",
        text: "atlas",
        ref: { channel: card.channel, ts: card.ts },
      });
    });
  });

  describe("open the home tab", () => {
    const overview = (prompts: number) => ({
      paused: false,
      ifNone: "No open prompts.",
      prompts: Array.from({ length: prompts }, (_, at) => ({
        shortId: `k${at}` as never,
        session: SESSION,
        question: "Continue?",
        askedAt: 0,
      })),
      sessions: [],
    });

    it("and see the open prompts, if they are in the configuration", async () => {
      bench.host.view = (identity) => (identity === "slack:T0TEAM/U0ARA" ? overview(1) : null);
      bench.ara.openHome();
      await until(() => home().includes("Continue?"), "the home tab");
      const eve = bench.slack.user("U0EVE", "Eve");
      eve.openHome();
      await until(() => eve.home !== undefined, "her home tab");
      expect(readable(eve.home!["blocks"] as Json[])).toMatch(
        /not listed in this AtlasBridge's configuration/,
      );
    });

    it("and it follows what happens, in one go", async () => {
      bench.host.view = () => overview(1);
      bench.ara.openHome();
      await until(() => home().includes("k0"), "the home tab");
      const before = bench.slack.listRequests("views.publish").length;
      bench.host.view = () => overview(3);
      await Promise.all([deliver(), deliver(), deliver()]);
      await until(() => home().includes("k2"), "the change");
      expect(bench.slack.listRequests("views.publish").length - before).toBeLessThanOrEqual(3);
    });

    it("and the channel goes on when it cannot be shown", async () => {
      bench.slack.failNext("views.publish", { error: "not_enabled" });
      bench.ara.openHome();
      await until(() => bench.host.lines.some(({ message }) => message.includes("home tab")), "the failure");
      expect(bench.host.state).toBe("connected");
    });
  });

  describe("who may not answer", () => {
    it("guests of another organisation are told so, and open no form", async () => {
      answerAll();
      const guest = bench.slack.outsider("U9EVE", "Eve", bench.place);
      const card = bench.post(await deliver(freeTextNotice(bench.place)));
      const [opener] = listButtons(card).filter(({ action_id: id }) => id === "form");
      expect(await guest.pressButton(card, opener!).told()).toContain("noted");
      expect(meanings()).toMatchObject([{ kind: "unfit", why: "outsider", identity: "slack:T9OTHER/U9EVE" }]);
      expect(guest.form).toBeUndefined();
    });

    it("a card that was shared elsewhere answers nothing there", async () => {
      const card = bench.post(await deliver());
      const elsewhere = bench.slack.channel("C0ELSE", [bench.ara]);
      const copy = bench.ara.forward(elsewhere);
      await bench.ara.pressButton(card, listButtons(card)[0]!, copy).ack;
      expect(meanings()).toMatchObject([{ kind: "unfit", why: "forwarded", place: elsewhere }]);
    });

    it("an edited message answers nothing", async () => {
      const said = bench.ara.say("answer k7 1");
      bench.ara.edit(said, "answer k7 2");
      await until(() => meanings().length === 2, "both");
      expect(meanings()).toMatchObject([
        { kind: "text", text: "answer k7 1" },
        { kind: "unfit", why: "edited" },
      ]);
    });

    it("a dangerous choice asks for confirmation, and does nothing when that is cancelled", async () => {
      const card = bench.post(await deliver());
      expect(await bench.ara.press(card, 1, { sure: false }).ack).toEqual({ kind: "unsent" });
      await bench.ara.press(card, 1, { sure: true }).ack;
      expect(meanings()).toMatchObject([{ kind: "tap", token: "tok-a-2" }]);
    });
  });
});
