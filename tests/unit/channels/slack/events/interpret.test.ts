/**
 * An event of Slack means a tap, a form, a text, a command or nothing. A person is known by team and user together, and people of
 * other workspaces are refused.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  interpretStored as interpretIn,
  restoreTypedText,
} from "../../../../../channels/slack/events/interpret.js";
import type { Json } from "../../../../support/slack/json.js";

const interpretStored = (raw: unknown) =>
  interpretIn(raw, {
    findSession: (_, ts) => (ts === "7.7" ? "s7" : null),
    knows: (deliveryId) => deliveryId !== "lost",
  });

const AT = 1_767_277_800_000;
const row = (type: string, payload: unknown) => ({ receivedAt: AT, team: "T0TEAM", type, payload });
const USER = { id: "U0ARA", team_id: "T0TEAM", username: "ara", name: "Ara" };
const press = (over: Json = {}) =>
  row("interactive", {
    type: "block_actions",
    user: USER,
    trigger_id: "1.2",
    container: { type: "message", message_ts: "1.1", channel_id: "C0WORK", thread_ts: "1.0" },
    actions: [{ action_id: "choice:1", value: "tok", action_ts: "1.5" }],
    ...over,
  });
const META = { delivery: "d1", channel: "C0WORK", ts: "1.1", thread: "1.0", questions: 1 };
const form = (kind: string, values: Json, over: Json = {}) =>
  row("interactive", {
    type: "view_submission",
    user: USER,
    view: {
      callback_id: "answer",
      private_metadata: JSON.stringify({ ...META, kind, ...over }),
      state: { values },
    },
  });
const command = (over: Json = {}) =>
  row("slash_commands", {
    command: "/atlasbridge",
    text: " prompts ",
    team_id: "T0TEAM",
    channel_id: "C0WORK",
    user_id: "U0ARA",
    user_name: "ara",
    ...over,
  });
const event = (inner: Json, shared = false) =>
  row("events_api", { event: inner, is_ext_shared_channel: shared });
const message = (over: Json = {}, shared = false) =>
  event(
    { type: "message", channel: "D0ARA", user: "U0ARA", team: "T0TEAM", ts: "1.2", text: "hello", ...over },
    shared,
  );
const IDENTITY = "slack:T0TEAM/U0ARA";

describe("what an envelope means", () => {
  it("a pressed choice is a tap", () => {
    expect(interpretStored(press())).toEqual({
      kind: "tap",
      token: "tok",
      ref: { channel: "C0WORK", ts: "1.1" },
      identity: IDENTITY,
      place: "C0WORK",
      receivedAt: AT,
      sentAt: 1_500,
    });
  });

  it("the button that opens a form, or an unknown one, decides nothing", () => {
    expect(interpretStored(press({ actions: [{ action_id: "form", value: "d1" }] }))).toBeNull();
    expect(interpretStored(press({ actions: [{ action_id: "look", value: "d1" }] }))).toMatchObject({
      kind: "look",
      deliveryId: "d1",
    });
    expect(interpretStored(press({ actions: [{ action_id: "deploy", value: "tok" }] }))).toBeNull();
    // Of a card that the hub does not know, the hub has to say so.
    expect(interpretStored(press({ actions: [{ action_id: "form", value: "lost" }] }))).toMatchObject({
      kind: "tap",
      token: "lost",
    });
  });

  it.each([
    ["in a copy", { type: "message_attachment", message_ts: "9.9", channel_id: "C0WORK" }],
    ["in a view", { type: "view" }],
  ])("a press %s is a forwarded card", (_, container) => {
    expect(interpretStored(press({ container }))).toMatchObject({
      kind: "unfit",
      why: "forwarded",
      identity: IDENTITY,
    });
  });

  it.each([
    ["a press", press({ user: { ...USER, team_id: "T9OTHER" } })],
    [
      "a press on the form's button",
      press({ user: { ...USER, team_id: "T9OTHER" }, actions: [{ action_id: "form", value: "d1" }] }),
    ],
    ["a command", command({ team_id: "T9OTHER" })],
    ["a message", message({ user_team: "T9OTHER" })],
    ["a message of a stranger", message({ user_profile: { is_stranger: true } })],
    ["a message in a shared channel that does not say whose", message({ team: undefined }, true)],
  ])("somebody of another workspace may do nothing: %s", (_, raw) => {
    expect(interpretStored(raw)).toMatchObject({ kind: "unfit", why: "outsider" });
  });

  it("is of a user in a team: the same user id in another team is another person", () => {
    const raw = { ...press({ user: { id: "U0ARA", team_id: null } }), team: "T7MINE" };
    expect(interpretStored(raw)).toMatchObject({ kind: "tap", identity: "slack:T7MINE/U0ARA" });
  });

  it.each<[string, string, Json, Json, string]>([
    [
      "text",
      "words as they are",
      { text0: { text0: { value: " use <tabs> & 'x'\nnow " } } },
      {},
      " use <tabs> & 'x'\nnow ",
    ],
    ["keys", "what is typed", { text0: { text0: { value: "q" } } }, {}, "text:q"],
    [
      "ticks",
      "numbers",
      { choice0: { choice0: { selected_options: [{ value: "1" }, { value: "3" }] } } },
      {},
      "1,3",
    ],
    ["ticks", "none", { choice0: { choice0: { selected_options: [] } } }, {}, "none"],
    ["pick", "a number", { choice0: { choice0: { selected_option: { value: "7" } } } }, {}, "7"],
    [
      "pick",
      "a number and words",
      { choice0: { choice0: { selected_option: { value: "3" } } }, text0: { text0: { value: "use tabs" } } },
      {},
      "3: use tabs",
    ],
    ["pick", "nothing at all", {}, {}, ""],
    [
      "fields",
      "a line each",
      {
        choice0: { choice0: { selected_option: { value: "2" } } },
        choice1: { choice1: { selected_options: [] } },
        choice2: { choice2: { selected_option: { value: "1" } } },
        text2: { text2: { value: "my own\n words" } },
        text3: { text3: { value: "atlas" } },
      },
      { questions: 4 },
      "2\nnone\nmy own words\natlas",
    ],
  ])("a form of %s says %s", (kind, _, values, over, text) => {
    expect(interpretStored(form(kind, values, over))).toEqual({
      kind: "text_reply",
      ref: { channel: "C0WORK", ts: "1.1" },
      deliveryId: "d1",
      text,
      identity: IDENTITY,
      place: "C0WORK",
      receivedAt: AT,
    });
  });

  it("a form that is not ours means nothing", () => {
    expect(interpretStored(form("poem", {}))).toBeNull();
    const raw = form("text", {});
    const payload = raw.payload as { view: Json };
    expect(
      interpretStored({ ...raw, payload: { ...payload, view: { ...payload.view, callback_id: "other" } } }),
    ).toBeNull();
    expect(
      interpretStored({ ...raw, payload: { ...payload, view: { ...payload.view, private_metadata: "{" } } }),
    ).toBeNull();
  });

  it("a command is text, with the name of who wrote it; an empty one asks for help", () => {
    expect(interpretStored(command())).toMatchObject({
      kind: "text",
      text: "prompts",
      displayName: "ara",
      place: "C0WORK",
    });
    expect(interpretStored(command({ text: "" }))).toMatchObject({ text: "help" });
  });

  it("a message to the app is text, unescaped and without the app's name", () => {
    expect(interpretStored(message({ text: "a &lt;b&gt; &amp;amp; c" }))).toMatchObject({
      kind: "text",
      text: "a <b> &amp; c",
    });
    const mention = { type: "app_mention", channel: "C0WORK", text: "<@U0BOT> answer k7 2" };
    expect(interpretStored(message(mention))).toMatchObject({
      kind: "text",
      text: "answer k7 2",
      place: "C0WORK",
    });
  });

  it("an edited message is an edit, a preview that the service adds is not", () => {
    const changed = (before: string, after: string) =>
      event({
        type: "message",
        subtype: "message_changed",
        channel: "D0ARA",
        message: { user: "U0ARA", team: "T0TEAM", ts: "1.2", text: after },
        previous_message: { text: before },
      });
    expect(interpretStored(changed("no", "yes"))).toMatchObject({
      kind: "unfit",
      why: "edited",
      place: "D0ARA",
    });
    expect(interpretStored(changed("see https://x.y", "see https://x.y"))).toBeNull();
  });

  it("a mention that is reported again because its message was edited is an edit", () => {
    const mention = { type: "app_mention", channel: "C0WORK", text: "<@U0BOT> make", thread_ts: "7.7" };
    expect(interpretStored(message(mention))).toMatchObject({
      kind: "text",
      text: "make",
      about: "s7",
      sentAt: 1_200,
    });
    const edited = { user: "U0ARA", ts: "1.9" };
    expect(interpretStored(message({ ...mention, edited }))).toMatchObject({
      kind: "unfit",
      why: "edited",
      about: "s7",
    });
  });

  it.each<[string, unknown]>([
    ["the app's own words", message({ bot_id: "B0BOT" })],
    ["a join", message({ subtype: "channel_join" })],
    ["a message of nobody", message({ user: undefined })],
    ["an opened home tab", event({ type: "app_home_opened", user: "U0ARA", tab: "home" })],
    ["another event", event({ type: "reaction_added", user: "U0ARA" })],
  ])("%s means nothing", (_, raw) => {
    expect(interpretStored(raw)).toBeNull();
  });

  it("any JSON means something or nothing, and breaks nothing", () => {
    const kinds = ["tap", "text_reply", "text", "unfit", undefined];
    fc.assert(
      fc.property(
        fc.constantFrom("interactive", "slash_commands", "events_api", "x"),
        fc.jsonValue(),
        (type, payload) => kinds.includes(interpretStored(row(type, payload))?.kind),
      ),
    );
    fc.assert(fc.property(fc.anything(), (raw) => kinds.includes(interpretStored(raw)?.kind)));
  });
});

describe("text as it was typed", () => {
  it.each([
    ["plain", "plain"],
    ["<https://x.y/z?a=1&amp;b=2>", "https://x.y/z?a=1&b=2"],
    ["see <http://x.y|x.y>", "see x.y"],
    ["<mailto:a@b.c|a@b.c>", "a@b.c"],
    ["<#C1|general> <#C2> <@U1> <!here> <!subteam^S1|@ops>", "#general #C2 @U1 @here @ops"],
    ["&lt;script&gt; &amp;lt;", "<script> &lt;"],
  ])("%s", (sent, text) => {
    expect(restoreTypedText(sent)).toBe(text);
  });
});
