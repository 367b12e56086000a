/**
 * A text answers a prompt only where the prompt was sent, or in the person's own configured chat. A text that belongs to no
 * prompt gets the list of open prompts, and a channel without an approver takes only a pairing code.
 */
import { describe, expect, it } from "vitest";
import { asId, type Identity } from "../../../../src/model/ids.js";
import { REFUSAL_TEXT } from "../../../../src/model/answer/refusal.js";
import { FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { ARA, SETTINGS, makeRig } from "../rig.js";

const EVE = { identity: "chat:666" };

describe("a tap on a card", () => {
  it("counts before the posting of its card was even confirmed", async () => {
    const rig = await makeRig();
    let finish: () => void = () => undefined;
    const deliver = rig.chat.deliver.bind(rig.chat);
    rig.chat.deliver = async (notice) => {
      const ref = await deliver(notice);
      await new Promise<void>((resolve) => (finish = resolve));
      return ref;
    };
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("answering");
    finish();
    await turns();
    expect(rig.store.deliveries.listCards(event.promptId)).toHaveLength(1);
  });

  it("on an unknown button gets a message and changes nothing", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "no such value");
    expect(rig.chat.lastAnswer).toBe("There is no such open prompt.");
    expect(rig.readState(event)).toBe("pending");
  });

  it("with a button of another channel's card counts for nothing", async () => {
    const other = new FakeChannel();
    const people = [{ ...ARA, identities: ["chat:1", "other:1"] }];
    const rig = await makeRig({
      settings: { ...SETTINGS, people },
      configuredChannels: (chat) => [
        configureChannel(chat),
        configureChannel(other, { id: "other", places: ["o1"] }),
      ],
    });
    const event = await rig.raise();
    const [button] = rig.chat.cards()[0]!.notice.buttons;
    const identity = asId<Identity>("other:1");
    await other.receive({ kind: "tap", token: button!.token, identity, place: "o1", receivedAt: 0 });
    expect(other.lastAnswer).toBe("There is no such open prompt.");
    await other.receive({
      kind: "tap",
      token: button!.token,
      identity: asId<Identity>("chat:1"),
      place: "o1",
      receivedAt: 0,
    });
    expect(rig.readState(event)).toBe("pending");
  });

  it("on one channel settles the cards of all", async () => {
    const other = new FakeChannel();
    const bo = { name: "Bo", identities: ["other:2"], role: "approver" } as const;
    const rig = await makeRig({
      settings: { ...SETTINGS, people: [ARA, bo] },
      configuredChannels: (chat) => [
        configureChannel(chat, { places: ["p1", "p2"] }),
        configureChannel(other, { id: "other", places: ["o1"] }),
      ],
    });
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await other.tap(other.cards()[0]!, "2", "other:2");
    expect(other.lastAnswer).toBe("Already answered by Ara; the card shows the outcome.");
    await rig.begin(event);
    await rig.end(event);
    const texts = [...rig.chat.cards(), ...other.cards()].map(({ outcome }) => outcome?.text);
    expect(texts).toEqual(Array(3).fill("✅ Yes, by Ara, confirmed"));
  });

  it("on a choice that needs a text says how to give it", async () => {
    const rig = await makeRig();
    const event = await rig.raise({
      choices: [
        { label: "Yes", intent: "allow_once" },
        { label: "No, and say why", intent: "reject_once", takesText: "required" },
      ],
    });
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    expect(rig.chat.lastAnswer).toContain("`3: your text`");
    await rig.chat.text("2: use tabs", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.link.replies).toMatchObject([{ value: "2", text: "use tabs" }]);
    expect(rig.readState(event)).toBe("answering");
  });
});

describe("a text in a chat", () => {
  it("that replies to a card answers it", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.chat.text("not a number", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.chat.lastAnswer).toContain("Answer with the number of the choice");
    expect(rig.link.replies).toEqual([]);
    await rig.chat.text("3", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.link.replies).toMatchObject([{ value: "3" }]);
  });

  it("that replies to no known card answers nothing, and gets the list of open prompts", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.chat.text("1");
    await rig.chat.text("1", { ref: { message: 999 } });
    for (const { answer } of rig.chat.answers) {
      expect(answer.text).toMatch(/^Nothing was answered yet/);
      expect(answer.buttons?.map(({ label }) => label)).toEqual([
        expect.stringMatching(new RegExp(`^${shortId}: “`)),
      ]);
      expect(answer.text).toContain("claude: Do you want to proceed?");
    }
    expect(rig.readState(event)).toBe("pending");
  });

  it("`answer <id> <value>` answers that question, in any case and with a slash", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.chat.text(`/Answer ${shortId.toUpperCase()} 9`);
    expect(rig.chat.lastAnswer).toContain("That is not one of the choices");
    await rig.chat.text(`/Answer ${shortId.toUpperCase()} 2`);
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
    await rig.chat.text("answer 00 2");
    expect(rig.chat.lastAnswer).toBe("There is no prompt 00.");
    await rig.chat.text("hello");
    expect(rig.chat.lastAnswer).toMatch(
      /^Nothing was answered\. \w+ {2}claude: .* · answered, not typed yet\nhelp: list the commands$/,
    );
  });

  it("answers no question in a chat that the question was not sent to, and says so", async () => {
    const routes = [{ tools: ["claude"], deliver_to: ["chat:p1"] }];
    const rig = await makeRig({
      settings: { ...SETTINGS, routes },
      configuredChannels: (chat) => [configureChannel(chat, { places: ["p1", "p2"] })],
    });
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const card = rig.chat.cards()[0]!;
    for (const place of ["p2", "somewhere"]) {
      await rig.chat.text(`answer ${shortId} 1`, { place });
      expect(rig.chat.lastAnswer).toBe(REFUSAL_TEXT.elsewhere);
      await rig.chat.text("1", { place, ref: card.ref });
      expect(rig.chat.lastAnswer).toBe(REFUSAL_TEXT.elsewhere);
    }
    expect(rig.readState(event)).toBe("pending");
    expect(rig.link.replies).toEqual([]);
    await rig.chat.text(`answer ${shortId} 2`, { place: "p1" });
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
  });

  it("answers in the person's own configured chat what went to another one", async () => {
    const routes = [{ tools: ["claude"], deliver_to: ["chat:p1"] }];
    const rig = await makeRig({
      settings: { ...SETTINGS, routes },
      configuredChannels: (chat) => [configureChannel(chat, { places: ["p1", "1"] })],
    });
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.chat.text(`answer ${shortId} 2`, { place: "1" });
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
  });

  it("of a stranger answers nothing and learns nothing", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.chat.text("what is going on?", EVE);
    await rig.chat.text(`answer ${shortId} 1`, EVE);
    await rig.chat.text("1", { ...EVE, ref: rig.chat.cards()[0]!.ref });
    expect(rig.chat.answers.map(({ answer }) => answer.text)).toEqual([
      "You are not listed in this AtlasBridge's configuration.",
      "You are not listed in this AtlasBridge's configuration.",
      "You may not answer this prompt.",
    ]);
    expect(rig.readState(event)).toBe("pending");
  });

  it("of a stranger for a console is on record, and nothing else of a stranger", async () => {
    const rig = await makeRig();
    await rig.chat.text("hello", EVE);
    await rig.chat.text("$ make", EVE);
    const refused = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "console_refused");
    expect(refused).toMatchObject([{ identity: EVE.identity }]);
  });

  it("of a stranger gets at most three replies in ten minutes, and other people get all of theirs", async () => {
    const rig = await makeRig();
    for (let n = 0; n < 400; n += 1) await rig.chat.text("hello?", EVE);
    expect(rig.chat.answers).toHaveLength(3);
    await rig.chat.text("hello");
    expect(rig.chat.answers).toHaveLength(4);
    rig.clock.advance(10 * 60_000);
    await rig.chat.text("hello?", EVE);
    expect(rig.chat.answers).toHaveLength(5);
  });
});

describe("a channel without an approver", () => {
  const people = [{ name: "Vi", identities: ["chat:2"], role: "viewer" }] as const;

  it("gets no card and no word, but takes a pairing code", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people } });
    await rig.raise();
    await rig.chat.text("hello", { identity: "chat:2" });
    await rig.chat.text("hello", EVE);
    expect([rig.chat.messages, rig.chat.answers]).toEqual([[], []]);
    const code = rig.core.pairing.begin("chat");
    const found = rig.core.handlers["pairing.wait"]({ channel: "chat", code }, { sessionId: null });
    await rig.chat.text(`/start ${code.toUpperCase()}`, EVE);
    expect(await found).toEqual({ identity: "chat:666", displayName: "Ara", place: "p1" });
    expect(rig.chat.lastAnswer).toBe("Code received. If your terminal asks, confirm there that it was you.");
  });

  it("asks whoever writes to it for the code, a few times, while a terminal shows one", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people } });
    const code = rig.core.pairing.begin("chat");
    for (const text of ["/start", "hello", "what?", "are you there?"]) await rig.chat.text(text, EVE);
    expect(rig.chat.answers.map(({ answer }) => answer.text)).toEqual(
      Array.from({ length: 3 }, () => "Send the code that your terminal shows."),
    );
    await rig.chat.text(`/start ${code}`, EVE);
    expect(rig.chat.lastAnswer).toContain("Code received");
  });

  it("takes a code that was written to it by name, as groups need it", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people } });
    const code = rig.core.pairing.begin("chat");
    const found = rig.core.handlers["pairing.wait"]({ channel: "chat", code }, { sessionId: null });
    await rig.chat.text(`/start@our_bot ${code}`, EVE);
    expect(await found).toMatchObject({ identity: "chat:666" });
  });

  it("refuses a code of another channel, an old one, and a wrong one", async () => {
    const rig = await makeRig();
    const code = rig.core.pairing.begin("chat");
    const late = rig.core.pairing.wait("chat", code);
    await expect(rig.core.pairing.wait("other", code)).rejects.toMatchObject({ code: "ATB_PAIRING_FAILED" });
    await expect(rig.core.pairing.wait("chat", "wrong")).rejects.toMatchObject({
      code: "ATB_PAIRING_FAILED",
    });
    rig.clock.advance(10 * 60_000);
    await expect(late).rejects.toMatchObject({ code: "ATB_PAIRING_FAILED" });
    await rig.chat.text("abcd2345");
    expect(rig.chat.lastAnswer).toMatch(/^“.*” is no command\. No open prompts\.\n/);
  });

  describe("a pairing code that no terminal waits for", () => {
    const OVER =
      "This pairing code is not valid any more: the program that showed it has ended, or 10 minutes are over. Run atlasbridge setup again, and send the new code.";

    it.each(["its program is gone", "its time is over"])("is refused, because %s", async (why) => {
      const rig = await makeRig({ settings: { ...SETTINGS, people } });
      let leave: (reason: string) => void = () => undefined;
      const code = rig.core.pairing.begin("chat", new Promise((resolve) => (leave = resolve)));
      const found = rig.core.pairing.wait("chat", code);
      if (why === "its program is gone") leave("the connection was closed");
      else rig.clock.advance(10 * 60_000);
      await expect(found).rejects.toMatchObject({ code: "ATB_PAIRING_FAILED" });
      expect(rig.core.pairing.isPairing("chat")).toBe(false);
      await rig.chat.text(`/start ${code}`, EVE);
      expect(rig.chat.lastAnswer).toBe(OVER);
      await rig.chat.text(code, EVE);
      expect(rig.chat.answers).toHaveLength(2);
    });

    it("ends also after it was sent, so that strangers count as strangers again", async () => {
      const rig = await makeRig({ settings: { ...SETTINGS, people } });
      let leave: (reason: string) => void = () => undefined;
      const code = rig.core.pairing.begin("chat", new Promise((resolve) => (leave = resolve)));
      await rig.chat.text(code, EVE);
      leave("the connection was closed");
      await turns();
      expect(rig.core.pairing.isPairing("chat")).toBe(false);
      await rig.chat.text(code, EVE);
      expect(rig.chat.lastAnswer).toBe(OVER);
    });

    it("is refused after a new hub began, and who is listed already is told so", async () => {
      const rig = await makeRig();
      await rig.chat.text("/start@our_bot abcd2345", EVE);
      expect(rig.chat.lastAnswer).toBe(OVER);
      await rig.chat.text("/start abcd2345");
      expect(rig.chat.lastAnswer).toBe(
        "This pairing code is not valid any more. You are listed already: write help to see what you can do here.",
      );
    });
  });

  it("tells a second sender of a code that the terminal does not ask about them", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people } });
    const code = rig.core.pairing.begin("chat");
    for (const identity of ["chat:666", "chat:777", "chat:666"]) await rig.chat.text(code, { identity });
    expect(rig.chat.answers.map(({ answer }) => answer.text)).toEqual([
      "Code received. If your terminal asks, confirm there that it was you.",
      "Somebody else has sent this code already. Nobody else can be paired with it.",
      "Code received. If your terminal asks, confirm there that it was you.",
    ]);
  });
});
