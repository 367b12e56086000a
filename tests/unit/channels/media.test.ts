/** Pictures, voice messages and files in a chat: one line for those who may write there, silence for others, and never an answer. */
import { afterEach, describe, expect, it } from "vitest";
import { HubBench } from "./slack/hub-bench.js";

const ONLY_TEXT =
  /^AtlasBridge takes only text: it passes no pictures, voice messages or files on\. Nothing was typed\.$/;

let bench: HubBench;
afterEach(() => bench.close());

const photo = (caption?: string) => ({
  photo: [{ file_id: "f", width: 1, height: 1 }],
  text: undefined,
  caption,
});
const KINDS = {
  photo: photo(),
  voice: { voice: { file_id: "v" }, text: undefined },
  document: { document: { file_id: "d" }, text: undefined },
  sticker: { sticker: { file_id: "s" }, text: undefined },
};

const posts = () => bench.telegram.posts(bench.chat);

describe("what is no text, in Telegram", () => {
  it.each(Object.entries(KINDS))("gets one line: %s", async (_, fields) => {
    bench = await HubBench.open();
    bench.phone.send("", { fields });
    await bench.until(() => posts().length > 0, "the reply");
    expect(posts().map(({ text }) => text)).toEqual([expect.stringMatching(ONLY_TEXT)]);
  });

  it("is no answer with a caption that would be one", async () => {
    bench = await HubBench.open();
    await bench.ask({ promptType: "yes_no", choices: [], defaultChoice: null });
    await bench.until(() => bench.phoneCards.length === 1, "the card");
    const [card] = bench.phoneCards;
    bench.phone.send("", { replyTo: card!.id, fields: photo("y") });
    await bench.until(() => ONLY_TEXT.test(posts().at(-1)!.text), "the reply");
    expect(bench.link.replies).toEqual([]);
    expect(bench.audited("answer_rejected").map(({ code }) => code)).toEqual(["media"]);
  });

  it("gets silence from a stranger, and so do the notes of the service", async () => {
    bench = await HubBench.open();
    const stranger = bench.telegram.user(1009, "Sly");
    stranger.send("", { fields: KINDS.photo });
    bench.phone.send("", { fields: { text: undefined, pinned_message: { message_id: 1 } } });
    bench.phone.send("help");
    await bench.until(() => posts().length > 0, "the help");
    expect([posts().length, bench.telegram.posts(1009)]).toEqual([1, []]);
  });
});

describe("what is no text, in Slack", () => {
  it("gets one line, in the app's conversation and beside a mention, and is no command", async () => {
    bench = await HubBench.open();
    const fields = { subtype: "file_share", files: [{ id: "F1", name: "a.png" }] };
    bench.ara.say("pause", { fields });
    const said = () => bench.slack.posts(bench.ara.im!).filter(({ user }) => user !== bench.ara.id);
    await bench.until(() => said().length > 0, "the reply");
    expect(said().map(({ text }) => text)).toEqual([expect.stringMatching(ONLY_TEXT)]);
    bench.ara.mention(bench.place, "pause", { fields: { files: fields.files } });
    const told = () => bench.slack.world.conversations.ephemerals;
    await bench.until(() => told().length > 0, "what only she sees");
    expect(told().at(-1)?.text).toMatch(ONLY_TEXT);
    expect(bench.audited("paused")).toEqual([]);
  });
});
