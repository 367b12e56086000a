/** The routes of the configuration say which chats get the prompts of a session and who may answer them. Viewers only see them. */
import { homedir } from "node:os";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { buildConfigSchema, type Config } from "../../../../src/config/schema.js";
import { describeRouteProblem } from "../../../../src/hub/people/routing.js";
import { asId, type Identity } from "../../../../src/model/ids.js";
import { CAPABILITIES, FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const BO = { name: "Bo", identities: ["chat:3"], role: "approver" } as const;
const LOCAL = { ...CAPABILITIES, pace: null };

/** A chat with two places, and the terminal; one session `claude` in /home/ara/project. */
function rigWith(routes: Config["routes"]): Promise<Rig & { terminal: FakeChannel }> {
  const terminal = new FakeChannel();
  const settings = { ...SETTINGS, people: [ARA, BO], routes };
  const configuredChannels = (chat: FakeChannel) => [
    configureChannel(chat, { places: ["p1", "p2"] }),
    configureChannel(terminal, { id: "cli", capabilities: LOCAL, places: ["terminal"] }),
  ];
  return makeRig({ settings, configuredChannels }).then((rig) => ({ ...rig, terminal }));
}

const listPlaces = (chat: FakeChannel): string[] => chat.cards().map(({ notice }) => notice.place);

describe("rules that route sessions", () => {
  it.each<[string, Config["routes"], string[]]>([
    ["none: everywhere", [], ["p1", "p2"]],
    ["the tool", [{ tools: ["claude"], deliver_to: ["chat:p2"] }], ["p2"]],
    ["another tool", [{ tools: ["codex"], deliver_to: ["chat:p2"] }], ["p1", "p2"]],
    ["the folder above", [{ paths: ["/home/ara"], deliver_to: ["chat:p1"] }], ["p1"]],
    [
      "a folder with a name that only begins like it",
      [{ paths: ["/home/ara/pro"], deliver_to: ["chat:p1"] }],
      ["p1", "p2"],
    ],
    ["a label that it does not have", [{ labels: ["api"], deliver_to: ["chat:p1"] }], ["p1", "p2"]],
    ["both must hold", [{ tools: ["claude"], paths: ["/srv"], deliver_to: ["chat:p1"] }], ["p1", "p2"]],
    [
      "the first that fits",
      [{ deliver_to: ["chat:p2"] }, { tools: ["claude"], deliver_to: ["chat:p1"] }],
      ["p2"],
    ],
  ])("%s", async (_, routes, places) => {
    const rig = await rigWith(routes);
    await rig.raise();
    expect(listPlaces(rig.chat)).toEqual(places);
    expect(listPlaces(rig.terminal)).toEqual(["terminal"]);
  });

  it("send a prompt of a class elsewhere, and let other people answer it there, and only there", async () => {
    const rig = await rigWith([
      { classes: ["plan", "destructive"], deliver_to: ["chat:p2"], approvers: ["Bo"] },
      { deliver_to: ["chat:p1"] },
    ]);
    const plain = await rig.raise({ safetyClass: "permission" }, 1);
    const plan = await rig.raise({ safetyClass: "plan" }, 2);
    expect(listPlaces(rig.chat)).toEqual(["p1", "p2"]);
    const [first, second] = rig.chat.cards();
    await rig.chat.tap(second!, "1");
    expect([rig.chat.lastAnswer, rig.readState(plan)]).toEqual([
      "You may not answer this prompt.",
      "pending",
    ]);
    const shortId = second!.notice.shortId;
    await rig.chat.text(`answer ${shortId} 1`, { identity: "chat:3", place: "p1" });
    expect(rig.chat.lastAnswer).toContain("another chat");
    await rig.chat.tap(second!, "1", "chat:3");
    await rig.chat.tap(first!, "1");
    expect([rig.readState(plain), rig.readState(plan)]).toEqual(["answering", "answering"]);
  });

  it("leave no button in the chat of one person who may not answer, and name who may", async () => {
    const settings = { ...SETTINGS, people: [ARA, BO], routes: [{ tools: ["claude"], approvers: ["Bo"] }] };
    const personAt = (place: string) => (place === "group" ? null : asId<Identity>(`chat:${place}`));
    const configuredChannels = (chat: FakeChannel) => [
      { ...configureChannel(chat, { places: ["1", "3", "group"] }), personAt },
    ];
    const rig = await makeRig({ settings, configuredChannels });
    const event = await rig.raise();
    const [ara, bo, group] = rig.chat.cards();
    expect(ara!.notice).toMatchObject({ buttons: [], acceptsText: false, onlyBy: ["Bo", "the local user"] });
    for (const card of [bo!, group!]) {
      expect(card.notice.buttons.length).toBeGreaterThan(0);
      expect(card.notice).not.toHaveProperty("onlyBy");
    }
    await rig.chat.tap(bo!, "1", "chat:3");
    const { replyId } = rig.link.replies[0]!;
    const why = { code: "screen_moved", text: "Not applied." } as const;
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection: why, stillAsked: true },
      { sessionId: SESSION },
    );
    await turns();
    expect(bo!.outcome?.buttons?.length).toBeGreaterThan(0);
    expect(ara!.outcome).toMatchObject({ final: false, buttons: [] });
  });

  it("send nothing to the private chat of somebody who is not in `people`, and say so", async () => {
    const personAt = (place: string) => (place === "group" ? null : asId<Identity>(`chat:${place}`));
    const places = ["1", "43", "group"];
    const rig = await makeRig({
      settings: { ...SETTINGS, people: [ARA] },
      configuredChannels: (chat) => [configureChannel(chat, { places, personAt })],
    });
    await rig.raise();
    expect(listPlaces(rig.chat)).toEqual(["1", "group"]);
    expect(rig.core.reach.listRefusedPlaces({ id: "chat", places, personAt })).toEqual([
      { place: "43", reason: "it belongs to nobody in `people`, so it gets nothing" },
    ]);
  });

  it("say who may answer: the others see the question and are refused", async () => {
    const rig = await rigWith([{ tools: ["claude"], approvers: ["Bo"] }]);
    const event = await rig.raise();
    const card = rig.chat.cards()[0]!;
    expect(card.notice.addressees).toEqual(["chat:3"]);
    await rig.chat.tap(card, "1", "chat:1");
    expect(rig.chat.lastAnswer).toBe("You may not answer this prompt.");
    await rig.chat.text("stop", { identity: "chat:1" });
    expect(rig.chat.lastAnswer).toBe("You may not do that.");
    await rig.chat.tap(card, "1", "chat:3");
    await turns();
    expect(rig.readState(event)).toBe("answering");
  });

  it("never keep the local user from answering", async () => {
    const rig = await rigWith([{ approvers: ["Bo"] }]);
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const call = rig.core.handlers["prompt.answer"]({ shortId, value: "1" }, { sessionId: null });
    expect(await call).toMatchObject({ claimed: true });
  });

  it("are refused when they name a place or a person that nobody has", () => {
    const configuredChannels = [configureChannel(new FakeChannel())];
    const problem = (routes: Config["routes"]) =>
      describeRouteProblem({ people: [ARA], routes }, configuredChannels);
    expect(problem([{ deliver_to: ["chat:p1"], approvers: ["Ara"] }])).toBeNull();
    expect(problem([{ deliver_to: ["chat:p9"] }])).toContain("chat:p9");
    expect(problem([{ approvers: ["Nobody"] }])).toContain("Nobody");
  });

  it("may write ~ for the home directory, and nothing relative", () => {
    const schema = buildConfigSchema({});
    const paths = (path: string) => v.safeParse(schema, { routes: [{ paths: [path] }] });
    expect(paths("~/work").output).toMatchObject({ routes: [{ paths: [`${homedir()}/work`] }] });
    expect(paths("work").success).toBe(false);
    expect(v.safeParse(schema, { routes: [{ deliver_to: [] }] }).success).toBe(false);
  });
});
