/**
 * The channel contract holds for the channel that is made by following docs/how-to/add-a-channel.md, against a server of ntfy on
 * the loopback.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findForeignNtfy, readSettings } from "../../../docs/how-to/examples/ntfy/config.js";
import { renderLabel, renderNotice } from "../../../docs/how-to/examples/ntfy/card.js";
import ntfy from "../../../docs/how-to/examples/ntfy/index.js";
import { asId, type Notice, type Token } from "../../../src/sdk/channel.js";
import { channelChecks } from "../../../src/compat/testing/channel-kit.js";
import { serviceChecks } from "../../../src/compat/testing/service-kit.js";
import { registerChecks } from "../../support/register-checks.js";
import { KINDS } from "./kinds.js";
import { CHOICES, promptNotice, SENT_AT, textNotice } from "../../../src/compat/testing/notices.js";
import { openNtfy, QUICK, type NtfyBench } from "./ntfy-bench.js";

registerChecks("every channel", channelChecks(ntfy, openNtfy));
registerChecks("every channel with a service", serviceChecks(ntfy, openNtfy));

describe("the example channel", () => {
  let bench: NtfyBench;

  beforeEach(async () => {
    bench = await openNtfy();
  });
  afterEach(() => bench.stop());

  const sendAndFail = (notice: Notice): Promise<unknown> =>
    bench.channel.deliver(notice).catch((error: unknown) => error);

  it.each([
    [{ status: 400 }, { certainty: "not_sent", permanent: true, retryAfterMs: null }],
    [{ status: 401 }, { certainty: "not_sent", permanent: false, retryAfterMs: null }],
    [{ status: 413 }, { certainty: "not_sent", permanent: true, retryAfterMs: null }],
    [{ status: 429 }, { certainty: "not_sent", permanent: false, retryAfterMs: null }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { certainty: "not_sent", permanent: false, retryAfterMs: 7_000 },
    ],
    [{ status: 500 }, { certainty: "unknown", permanent: false, retryAfterMs: null }],
    [{ status: 200 }, { certainty: "unknown", permanent: false, retryAfterMs: null }],
  ])("knows what a refusal leaves certain: %j", async (fault, error) => {
    bench.ntfy.failNext("publish", fault);
    expect(await sendAndFail(promptNotice(bench.place))).toMatchObject({ name: "DeliveryError", ...error });
  });

  it("says that a token is refused, and goes on asking", async () => {
    const stranger = bench.open({ token: "tk_unknown" });
    await stranger.start(bench.host);
    await bench.until(() => bench.host.state === "degraded", "the refusal");
    expect(bench.host.health.at(-1)).toMatchObject({ reason: "the service answers 401" });
    expect(await stranger.deliver(promptNotice(bench.place)).catch((error: unknown) => error)).toMatchObject({
      certainty: "not_sent",
    });
  });

  it("connects again when the service falls silent", async () => {
    const channel = bench.open({}, { ...QUICK, silenceMs: 50 });
    await channel.start(bench.host);
    await bench.until(
      () => bench.host.health.filter(({ state }) => state === "connected").length > 1,
      "the silence",
    );
  });

  it("goes on after lines that are no message", async () => {
    await bench.channel.start(bench.host);
    await bench.until(() => bench.host.state === "connected", "the channel to connect");
    for (const line of ["", "{", "null", "7", '{"event":"keepalive"}', '{"event":"message"}'])
      bench.ntfy.writeLine(line);
    bench.tap(await bench.channel.deliver(promptNotice(bench.place)));
    await bench.until(() => bench.host.updates.size === 1, "the tap");
  });

  it.each(["ok", "1", "{}", '{"token":7}', '{"token":"t","delivery":"d"}'])(
    "does not take a message in words as an answer: %s",
    (message) => {
      expect(bench.channel.interpret({ receivedAt: 1, update: { message } })).toBeNull();
    },
  );

  it("puts no token of the hub into a card, only the one that may write answers", async () => {
    const ref = await bench.channel.deliver(promptNotice(bench.place));
    expect(bench.shown(ref)).not.toContain(bench.config.token);
    expect(bench.card(ref).actions?.[0]?.headers).toEqual({
      Authorization: `Bearer ${bench.config.reply_token}`,
    });
  });

  it.each(KINDS)(
    "has room in the service for every kind of notice, and for its longest: %s",
    async (_, { notice }) => {
      const wide = '"\\\n\u{1f600}'.repeat(20_000);
      const place = bench.place;
      await bench.channel.deliver({ ...notice, place });
      const long: Notice =
        notice.kind === "text"
          ? { ...notice, place, text: wide }
          : { ...notice, place, question: wide, content: { ...notice.content, text: wide } };
      await bench.channel.deliver(long);
      expect(bench.cards()).toHaveLength(2);
    },
  );

  it("offers no approval of what is not shown whole", () => {
    const long = promptNotice("ara", { content: { text: "x".repeat(9_000), cut: null } });
    const { message, buttons } = renderNotice(long, SENT_AT);
    expect(message).toContain("Shortened");
    expect(buttons.map((button) => renderLabel(long, button))).toEqual(["3. No"]);
    expect(renderNotice(promptNotice("ara"), SENT_AT).buttons).toHaveLength(3);
  });

  it("shows the whole question, what each choice gives away, and how long it stands", () => {
    const notice = promptNotice("ara", { policyNote: "rule ask-first" });
    const { title, message, buttons, priority } = renderNotice(notice, SENT_AT);
    const labels = buttons.map((button) => renderLabel(notice, button));
    expect({ title, priority, buttons: labels }).toMatchInlineSnapshot(`
      {
        "buttons": [
          "1. Yes",
          "2. Yes, and don't ask again for npm test",
          "3. No",
        ],
        "priority": 4,
        "title": "🔐 mytool asks for permission",
      }
    `);
    expect(message).toMatchInlineSnapshot(`
      "api · ~/src/api · k7
      ⏳ Open for 30 min
      📜 rule ask-first

      Do you want to run this command?

      npm test -- --watch=false

      1. Yes (the tool's default)
      2. Yes, and don't ask again for npm test ⚠️ This also allows future requests.
      3. No"
    `);
  });

  it("rings for questions, and for nothing in quiet hours", () => {
    const readPriority = (notice: Notice): number => renderNotice(notice, SENT_AT).priority;
    expect(readPriority(promptNotice("ara"))).toBe(4);
    expect(readPriority(textNotice("ara", "it ended"))).toBe(3);
    expect(readPriority(promptNotice("ara", { quiet: true }))).toBe(2);
  });

  it("sends a card without buttons to the terminal", () => {
    const many = promptNotice("ara", { choices: [...CHOICES, ...CHOICES], buttons: [] });
    expect(renderNotice(many, SENT_AT).message).toContain("Answer it at the terminal");
    const token = asId<Token>("t");
    const one = promptNotice("ara", { buttons: [{ token, choice: CHOICES[0]!, value: "1" }] });
    expect(renderNotice(one, SENT_AT).message).not.toContain("Answer it at the terminal");
  });

  it.each([
    [{ server: "ftp://example.org" }, "server"],
    [{ server: "https://example.org/ntfy" }, "server"],
    [{ topic: "with blank" }, "topic"],
    [{ reply_topic: "cards-of-ara-for-tests" }, "reply_topic"],
  ])("refuses what cannot work, without its value: %j", (over, key) => {
    const change = (): unknown => readSettings({ ...bench.config, ...over });
    expect(change).toThrow(expect.objectContaining({ code: "ATB_CONFIG_INVALID" }) as Error);
    expect(change).toThrow(`channels.ntfy.${key} `);
  });

  it("names an address that is not the service's own, with all that would go there", () => {
    const { config } = bench;
    expect(findForeignNtfy({ ...config, server: "https://ntfy.sh/" })).toBeNull();
    expect(findForeignNtfy(config)).toEqual({
      address: config.server,
      secrets: [config.topic, config.reply_topic, config.token, config.reply_token],
    });
  });
});
