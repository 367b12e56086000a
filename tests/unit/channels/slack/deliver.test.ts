/**
 * A session has one thread in Slack, in which cards, files and outcomes are posted. Each failure says whether the message was
 * posted and whether a retry helps.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordingHost } from "../../../../src/compat/testing/recording-host.js";
import {
  buttonsFor,
  CHOICES,
  promptNotice,
  SESSION,
  textNotice,
} from "../../../../src/compat/testing/notices.js";
import { openSlack, type SlackBench } from "../../../contract/channel/slack-bench.js";
import { asId, type Outcome, type SessionId } from "../../../../src/sdk/channel.js";
import { readable } from "../../../support/slack/conversations.js";

const ANSWERED: Outcome = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true };
const LONG = "0123456789\n".repeat(1000);
const OTHER = {
  ...SESSION,
  sessionId: asId<SessionId>("33333333-3333-4333-8333-333333333333"),
  label: "web",
};

describe("delivering to Slack", () => {
  let bench: SlackBench;

  beforeEach(async () => {
    bench = await openSlack();
  });
  afterEach(() => bench.stop());

  const deliver = (over: Parameters<typeof promptNotice>[1] = {}) =>
    bench.channel.deliver(promptNotice(bench.place, over));
  const posts = () => bench.slack.posts(bench.place);
  const refusal = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => "accepted",
      (error: unknown) => error,
    );

  it("opens a thread for a session, and keeps to it, also after a restart", async () => {
    await deliver();
    await deliver();
    await bench.again().deliver(textNotice(bench.place, "⏹ ended"));
    const [root, ...rest] = posts();
    expect(readable(root!.blocks)).toBe("▶️ mytool · api · ~/src/api");
    expect(root!.threadTs).toBeNull();
    expect(rest.map(({ threadTs }) => threadTs)).toEqual([root!.ts, root!.ts, root!.ts]);
  });

  it("reports for each visible call where it went: thread, file, card, change", async () => {
    const notice = promptNotice(bench.place, { content: { text: LONG, cut: null } });
    const ref = await bench.channel.deliver(notice);
    expect(bench.host.written.splice(0)).toEqual([bench.place, bench.place, bench.place]);
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(bench.host.written).toEqual([bench.place]);
  });

  it("does not take a card as changed because of an ok without a message", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.slack.failNext("chat.update", "hollow");
    expect(await refusal(bench.channel.settle(ref, notice, ANSWERED))).toMatchObject({ permanent: false });
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(readable(bench.post(ref).blocks)).toContain(ANSWERED.text);
  });

  it("opens another thread for another session, and one at each place", async () => {
    const second = bench.slack.channel("C0SECOND", [bench.ara]);
    await deliver();
    await deliver({ session: OTHER });
    await bench.channel.deliver(promptNotice(second));
    expect(posts().filter(({ threadTs }) => threadTs === null)).toHaveLength(2);
    expect(bench.slack.posts(second).filter(({ threadTs }) => threadTs === null)).toHaveLength(1);
  });

  it("opens one thread although two cards of a session come at once", async () => {
    await Promise.all([deliver(), deliver()]);
    expect(posts().filter(({ threadTs }) => threadTs === null)).toHaveLength(1);
  });

  it("shows a question in the channel, too, and everything else in the thread alone", async () => {
    const ref = await deliver();
    const text = await bench.channel.deliver(textNotice(bench.place, "⏹ ended"));
    expect([bench.post(ref).broadcast, bench.post(text).broadcast]).toEqual([true, false]);
  });

  it("opens a new thread after somebody deleted the old one", async () => {
    await deliver();
    bench.slack.world.conversations.remove(bench.place, posts()[0]!.ts);
    const alone = await deliver();
    expect(bench.post(alone).threadTs).toBeNull();
    const next = await deliver();
    expect(bench.post(next).threadTs).not.toBeNull();
  });

  it("tells the service to expand, link and notify nothing by itself", async () => {
    const notice = promptNotice(bench.place, { question: "Fetch https://example.org, @here?" });
    const ref = await bench.channel.deliver(notice);
    await bench.channel.settle(ref, notice, ANSWERED);
    for (const { given } of bench.slack.requests.filter(({ method }) => method.startsWith("chat.")))
      expect(given).toMatchObject({
        parse: "none",
        link_names: "false",
        unfurl_links: "false",
        unfurl_media: "false",
      });
    expect(bench.post(ref).mentions).toEqual([]);
  });

  it("posts long content whole, as a file in the thread, before the card", async () => {
    const ref = await deliver({ content: { text: LONG, cut: null } });
    const [file] = await bench.slack.waitFor(
      () => bench.slack.files(bench.place).length > 0 && bench.slack.files(bench.place),
      "the file",
    );
    expect(file!.file).toMatchObject({ name: "mytool-k7.txt" });
    expect(file!.file!.data.toString("utf8")).toBe(LONG);
    expect(file!.threadTs).toBe(posts()[0]!.ts);
    expect(readable(bench.post(ref).blocks)).toContain("characters not shown: open the file, then accept.");
    const order = bench.slack.requests.map(({ method }) => method);
    expect(order.indexOf("files.completeUploadExternal")).toBeLessThan(order.lastIndexOf("chat.postMessage"));
  });

  it("posts the picture of a screen as it is, in one message with its title", async () => {
    const picture = Uint8Array.from([137, 80, 78, 71, 0, 255]);
    const ref = await bench.channel.deliver({
      ...textNotice(bench.place, "🖥 api"),
      block: "$ make",
      picture,
    });
    const [file] = bench.slack.files(bench.place);
    expect(file!.file).toMatchObject({ name: "screen.png" });
    expect(file!.file!.data.equals(picture)).toBe(true);
    // One message: what the service tells of it is the file's id.
    expect(file!.text).toBe("🖥 api");
    expect(ref["ts"]).toMatch(/^file:/);
  });

  it("does not post the file again when only the card failed", async () => {
    await deliver();
    const notice = promptNotice(bench.place, { content: { text: LONG, cut: null } });
    bench.slack.failNext("chat.postMessage", { status: 429, retryAfter: 3 });
    expect(await refusal(bench.channel.deliver(notice))).toMatchObject({
      certainty: "not_sent",
      retryAfterMs: 3000,
    });
    await bench.channel.deliver(notice);
    expect(bench.slack.listRequests("files.completeUploadExternal")).toHaveLength(1);
  });

  it.each(["files.getUploadURLExternal", "upload", "files.completeUploadExternal"])(
    "shows no card whose file could not be attached: %s",
    async (step) => {
      bench.slack.failNext(step, { status: 500 });
      expect(await refusal(deliver({ content: { text: LONG, cut: null } }))).toMatchObject({
        certainty: "unknown",
      });
      expect(posts()).toHaveLength(1);
    },
  );

  it("sends no bytes to an address that is not the service's", async () => {
    bench.slack.failNext("files.getUploadURLExternal", "hollow");
    expect(await refusal(deliver({ content: { text: LONG, cut: null } }))).toMatchObject({
      name: "DeliveryError",
    });
    bench.slack.world.origin = () => "http://198.51.100.7:1";
    expect(await refusal(deliver({ content: { text: LONG, cut: null } }))).toMatchObject({
      name: "DeliveryError",
    });
    expect(bench.slack.listRequests("upload")).toEqual([]);
  });

  it("settles by editing: the outcome, a line of what it was about, no hints and no buttons", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    const before = posts().length;
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(posts()).toHaveLength(before);
    const shown = readable(bench.post(ref).blocks);
    expect(shown).toBe("✅ Yes, by Ara, confirmed\napi · mytool: npm test -- --watch=false · k7");
    expect(bench.post(ref).edits).toBe(1);
  });

  it("keeps the buttons, with new tokens, while the question stands", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    const outcome = {
      state: "refused",
      text: "⚠️ Not applied",
      final: false,
      buttons: buttonsFor(CHOICES, "b"),
    } as const;
    await bench.channel.settle(ref, notice, outcome);
    expect(bench.shown(ref)).toContain("tok-b-3");
    expect(bench.shown(ref)).not.toContain("tok-a-1");
  });

  it("has nothing to settle where somebody deleted the card", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.slack.world.conversations.remove(bench.place, String(ref["ts"]));
    await expect(bench.channel.settle(ref, notice, ANSWERED)).resolves.toBeUndefined();
  });

  it("posts the outcome as a message of its own where the workspace forbids editing", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.slack.world.editWindowClosed = true;
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(readable(posts().at(-1)!.blocks)).toBe("k7: ✅ Yes, by Ara, confirmed");
    expect(posts().at(-1)!.threadTs).toBe(posts()[0]!.ts);
  });

  it("settles a text by writing the outcome above it", async () => {
    const notice = textNotice(bench.place, "Paused.");
    const ref = await bench.channel.deliver(notice);
    await bench.channel.settle(ref, notice, { state: "withdrawn", text: "Resumed.", final: true });
    expect(readable(bench.post(ref).blocks)).toBe("Resumed.\nPaused.");
  });

  it("posts a text as it is, and one that is too long also as a file", async () => {
    const short = await bench.channel.deliver(textNotice(bench.place, "*b* <!here> 1 & 2"));
    expect(readable(bench.post(short).blocks)).toBe("*b* <!here> 1 & 2");
    await bench.channel.deliver(textNotice(bench.place, LONG));
    await bench.slack.waitFor(() => bench.slack.files(bench.place).length === 1, "the file");
    expect(bench.slack.files(bench.place)[0]!.file!.data.toString("utf8")).toBe(LONG);
  });

  it.each([
    ["channel_not_found", true, true],
    ["is_archived", true, true],
    ["invalid_blocks", true, false],
    ["not_in_channel", false, true],
    ["invalid_auth", false, false],
  ])("says whether a retry helps, and whether the place is closed: %s", async (error, permanent, closed) => {
    bench.slack.failNext("chat.postMessage", { error });
    expect(await refusal(deliver())).toMatchObject({
      permanent,
      isPlaceClosed: closed,
      certainty: "not_sent",
      message: expect.stringContaining(error) as string,
    });
  });

  it("gives up a post that hangs, and does not know whether it was posted", async () => {
    await deliver();
    const hasty = bench.open(bench.host, { callMs: 200 });
    bench.slack.failNext("chat.postMessage", "hang-after-effect");
    expect(await refusal(hasty.deliver(promptNotice(bench.place)))).toMatchObject({ certainty: "unknown" });
    expect(posts()).toHaveLength(3);
  });

  it.each(["hollow", "garbage"] as const)(
    "does not take a card as posted without its id: %s",
    async (fault) => {
      await deliver();
      bench.slack.failNext("chat.postMessage", fault);
      expect(await refusal(deliver())).toMatchObject({ name: "DeliveryError", certainty: "unknown" });
    },
  );

  it("forgets the threads of the oldest sessions, not those of the last", async () => {
    const host = new RecordingHost();
    const channel = bench.open(host);
    const session = (n: number) => ({ ...SESSION, sessionId: asId<SessionId>(`session-${n}`) });
    for (let n = 0; n < 205; n += 1) await channel.deliver(textNotice(bench.place, "x", session(n)));
    const kept = JSON.parse(host.settings.get(`threads:${bench.place}`)!) as [string, string][];
    expect([kept.length, kept[0]![0], kept.at(-1)![0]]).toEqual([200, "session-5", "session-204"]);
  });

  it("starts without threads where the stored ones are damaged", async () => {
    bench.host.settings.set(`threads:${bench.place}`, '[["x"');
    await expect(deliver()).resolves.toBeDefined();
  });
});
