import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startSlack,
  type EmulatorOptions,
  type SlackEmulator,
  type User,
} from "../../support/slack/emulator.js";
import type { Json } from "../../support/slack/json.js";

interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly retryAfter: string | null;
}

const plain = (text: string) => ({ type: "plain_text", text });
const button = (over: Json = {}) => ({
  type: "button",
  action_id: "a",
  text: plain("Yes"),
  value: "v",
  ...over,
});
const actions = (...elements: unknown[]) => ({ type: "actions", elements });
const rich = (...elements: unknown[]) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }],
});
const input = (element: Json, over: Json = {}) => ({
  type: "input",
  label: plain("Words"),
  element,
  ...over,
});
const modal = (blocks: unknown[], over: Json = {}) => ({
  type: "modal",
  title: plain("Answer"),
  submit: plain("Send"),
  blocks,
  ...over,
});
const options = (count: number, text = "One") =>
  Array.from({ length: count }, (_, at) => ({ text: plain(text), value: String(at) }));

describe("the Slack emulator", () => {
  let slack: SlackEmulator;
  let ara: User;

  const open = async (over: EmulatorOptions = {}): Promise<void> => {
    await slack.stop();
    slack = await startSlack({ rates: null, ...over });
    ara = slack.user("U0ARA", "Ara");
    slack.channel("C0WORK", [ara]);
  };
  beforeEach(async () => {
    slack = await startSlack({ rates: null });
    ara = slack.user("U0ARA", "Ara");
    slack.channel("C0WORK", [ara]);
  });
  afterEach(() => slack.stop());

  const call = async (method: string, given: Json = {}, token = slack.botToken): Promise<Reply> => {
    const fields = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
    const response = await fetch(`${slack.apiUrl}${method}`, {
      method: "POST",
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
      body: new URLSearchParams(fields as [string, string][]),
    });
    const body = (await response.json()) as Json;
    return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
  };
  const post = (over: Json = {}): Promise<Reply> =>
    call("chat.postMessage", { channel: "C0WORK", text: "hello", ...over });
  const errorOf = ({ body }: Reply): unknown => (body["ok"] === true ? "ok" : body["error"]);
  const pointed = ({ body }: Reply): string => String((body["errors"] as string[] | undefined)?.[0]);
  const openView = async (view: Json): Promise<Reply> =>
    call("views.open", { trigger_id: slack.world.triggers.issue("U0ARA"), view });

  describe("knows whose token it is", () => {
    it.each([
      ["none", "auth.test", "", "not_authed"],
      ["a wrong one", "auth.test", "xoxb-wrong", "invalid_auth"],
      ["an app-level one where a bot's belongs", "auth.test", "app", "not_allowed_token_type"],
      ["a bot's where an app-level one belongs", "apps.connections.open", "bot", "not_allowed_token_type"],
    ])("%s", async (_, method, which, error) => {
      const token = which === "app" ? slack.appToken : which === "bot" ? slack.botToken : which;
      expect(errorOf(await call(method, {}, token))).toBe(error);
    });

    it("and what it may do, which is what the manifest asked for", async () => {
      expect((await call("auth.test")).body).toMatchObject({ team_id: "T0TEAM", user_id: "U0BOT" });
      slack.world.scopes.delete("chat:write");
      expect((await post()).body).toMatchObject({ error: "missing_scope", needed: "chat:write" });
      slack.forgetAppScope();
      expect((await call("apps.connections.open", {}, slack.appToken)).body).toMatchObject({
        error: "missing_scope",
        needed: "connections:write",
      });
    });

    it("and no method that is none", async () => {
      expect(errorOf(await call("chat.sing"))).toBe("unknown_method");
    });
  });

  describe("refuses a message", () => {
    it.each<[string, Json, string]>([
      ["to nowhere", { channel: "C0NONE" }, "channel_not_found"],
      ["without a word", { text: "" }, "no_text"],
      ["that is too long", { text: "x".repeat(40_001) }, "msg_too_long"],
      ["whose blocks are no list", { blocks: { type: "divider" } }, "invalid_blocks_format"],
      [
        "with more text in its blocks than it takes",
        {
          blocks: [
            rich({ type: "text", text: "x".repeat(11_999) }),
            rich({ type: "text", text: "x".repeat(1_300) }),
          ],
        },
        "msg_blocks_too_long",
      ],
      ["to a thread that is no timestamp", { thread_ts: "yesterday" }, "invalid_thread_ts"],
    ])("%s", async (_, over, error) => {
      expect(errorOf(await post(over))).toBe(error);
      expect(slack.messages("C0WORK")).toEqual([]);
    });

    it("to a channel that the app is not in, or that is closed", async () => {
      slack.channel("C0ELSE", [ara], { invited: false });
      expect(errorOf(await post({ channel: "C0ELSE" }))).toBe("not_in_channel");
      slack.world.conversations.get("C0WORK")!.archived = true;
      expect(errorOf(await post())).toBe("is_archived");
    });
  });

  describe("refuses blocks, and points at what is wrong", () => {
    it.each<[string, unknown[], string]>([
      ["none at all", [], "no fewer than 1 items required [json-pointer:/blocks]"],
      [
        "more than fifty",
        Array(51).fill({ type: "divider" }),
        "no more than 50 items allowed [json-pointer:/blocks]",
      ],
      ["an unknown kind", [{ type: "banner" }], "unsupported type: banner [json-pointer:/blocks/0]"],
      [
        "an unknown member",
        [{ type: "divider", color: "red" }],
        "additional property not allowed: color [json-pointer:/blocks/0]",
      ],
      [
        "an input outside of a form",
        [input({ type: "plain_text_input" })],
        "unsupported type: input [json-pointer:/blocks/0]",
      ],
      [
        "a long button",
        [actions(button({ text: plain("x".repeat(76)) }))],
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
      ],
      [
        "an empty button",
        [actions(button({ text: plain("") }))],
        "must be more than 0 characters [json-pointer:/blocks/0/elements/0/text/text]",
      ],
      [
        "a button with markup",
        [actions(button({ text: { type: "mrkdwn", text: "*Yes*" } }))],
        "unsupported type: mrkdwn [json-pointer:/blocks/0/elements/0/text]",
      ],
      [
        "a long value",
        [actions(button({ value: "x".repeat(2001) }))],
        "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
      ],
      [
        "a long action id",
        [actions(button({ action_id: "x".repeat(256) }))],
        "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
      ],
      [
        "the same action id twice",
        [actions(button()), actions(button())],
        "duplicate action_id: a [json-pointer:/blocks/1/elements/0/action_id]",
      ],
      [
        "an unknown style",
        [actions(button({ style: "red" }))],
        "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
      ],
      [
        "26 buttons in a row",
        [actions(...Array.from({ length: 26 }, (_, at) => button({ action_id: `a${at}` })))],
        "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
      ],
      ["no button in a row", [actions()], "no fewer than 1 items required [json-pointer:/blocks/0/elements]"],
      [
        "a talkative dialog",
        [
          actions(
            button({
              confirm: {
                title: plain("?"),
                text: plain("x".repeat(301)),
                confirm: plain("y"),
                deny: plain("n"),
              },
            }),
          ),
        ],
        "must be less than 301 characters [json-pointer:/blocks/0/elements/0/confirm/text/text]",
      ],
      [
        "a long answer in a dialog",
        [
          actions(
            button({
              confirm: {
                title: plain("?"),
                text: plain("x"),
                confirm: plain("x".repeat(31)),
                deny: plain("n"),
              },
            }),
          ),
        ],
        "must be less than 31 characters [json-pointer:/blocks/0/elements/0/confirm/confirm/text]",
      ],
      [
        "a long section",
        [{ type: "section", text: plain("x".repeat(3001)) }],
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
      ],
      [
        "a section of nothing",
        [{ type: "section" }],
        "missing required field: text [json-pointer:/blocks/0]",
      ],
      [
        "a long header",
        [{ type: "header", text: plain("x".repeat(151)) }],
        "must be less than 151 characters [json-pointer:/blocks/0/text/text]",
      ],
      [
        "a crowded context",
        [{ type: "context", elements: Array(11).fill(plain("x")) }],
        "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
      ],
      [
        "two blocks of one name",
        [
          { type: "divider", block_id: "b" },
          { type: "divider", block_id: "b" },
        ],
        "duplicate block_id: b [json-pointer:/blocks/1/block_id]",
      ],
      [
        "empty rich text",
        [rich()],
        "no fewer than 1 items required [json-pointer:/blocks/0/elements/0/elements]",
      ],
      [
        "an empty piece of rich text",
        [rich({ type: "text", text: "" })],
        "must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
      ],
      [
        "a mention of nobody",
        [rich({ type: "user", user_id: "ara" })],
        "invalid user_id [json-pointer:/blocks/0/elements/0/elements/0/user_id]",
      ],
      [
        "a link to a script",
        [rich({ type: "link", url: "javascript:alert(1)" })],
        "invalid url [json-pointer:/blocks/0/elements/0/elements/0/url]",
      ],
      [
        "an unknown style of text",
        [rich({ type: "text", text: "x", style: { blink: true } })],
        "additional property not allowed: blink [json-pointer:/blocks/0/elements/0/elements/0/style]",
      ],
      [
        "a mention in code",
        [
          {
            type: "rich_text",
            elements: [{ type: "rich_text_preformatted", elements: [{ type: "user", user_id: "U0ARA" }] }],
          },
        ],
        "unsupported type: user [json-pointer:/blocks/0/elements/0/elements/0]",
      ],
      [
        "half a character",
        [rich({ type: "text", text: "a\ud83d" })],
        "invalid characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
      ],
      [
        "a NUL",
        [rich({ type: "text", text: "a\u0000" })],
        "invalid characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
      ],
    ])("%s", async (_, blocks, problem) => {
      const reply = await post({ blocks });
      expect(errorOf(reply)).toBe("invalid_blocks");
      expect(pointed(reply)).toBe(problem);
    });

    it("and takes what is right", async () => {
      const blocks = [rich({ type: "text", text: "ok" }), actions(button()), { type: "divider" }];
      expect(errorOf(await post({ blocks }))).toBe("ok");
    });
  });

  describe("refuses a form", () => {
    const text = { type: "plain_text_input", action_id: "v" };
    it.each<[string, Json, string]>([
      ["with a long title", modal([], { title: plain("x".repeat(25)) }), "/view/title/text"],
      ["with a long submit", modal([], { submit: plain("x".repeat(25)) }), "/view/submit/text"],
      ["with much to remember", modal([], { private_metadata: "x".repeat(3001) }), "/view/private_metadata"],
      ["with a long name", modal([], { callback_id: "x".repeat(256) }), "/view/callback_id"],
      ["with more than a hundred blocks", modal(Array(101).fill({ type: "divider" })), "/view/blocks"],
      ["with inputs that cannot be sent", modal([input(text)], { submit: undefined }), "/view"],
      [
        "with a text longer than it takes",
        modal([input({ ...text, max_length: 3001 })]),
        "/view/blocks/0/element/max_length",
      ],
      [
        "with eleven boxes",
        modal([input({ type: "checkboxes", options: options(11) })]),
        "/view/blocks/0/element/options",
      ],
      [
        "with eleven radio buttons",
        modal([input({ type: "radio_buttons", options: options(11) })]),
        "/view/blocks/0/element/options",
      ],
      [
        "with 101 options",
        modal([input({ type: "static_select", options: options(101) })]),
        "/view/blocks/0/element/options",
      ],
      [
        "with a menu of nothing",
        modal([input({ type: "multi_static_select", options: [] })]),
        "/view/blocks/0/element/options",
      ],
      [
        "with a long option",
        modal([input({ type: "static_select", options: options(1, "x".repeat(76)) })]),
        "/view/blocks/0/element/options/0/text/text",
      ],
      [
        "with two options of one value",
        modal([input({ type: "static_select", options: [options(1)[0], options(1)[0]] })]),
        "/view/blocks/0/element/options/1/value",
      ],
      [
        "with a long label",
        modal([input(text, { label: plain("x".repeat(2001)) })]),
        "/view/blocks/0/label/text",
      ],
      ["of an unknown kind", { ...modal([]), type: "popup" }, "/view/type"],
    ])("%s", async (_, view, pointer) => {
      const reply = await openView(view);
      expect(errorOf(reply)).toBe("invalid_arguments");
      expect(pointed(reply)).toContain(`[json-pointer:${pointer}]`);
      expect(ara.form).toBeUndefined();
    });

    it("without a trigger, after its three seconds, and twice on one", async () => {
      await open({ triggerTtlMs: 30 });
      const view = modal([]);
      expect(errorOf(await call("views.open", { trigger_id: "1.2.3", view }))).toBe("invalid_trigger_id");
      const late = slack.world.triggers.issue("U0ARA");
      await new Promise((resolve) => setTimeout(resolve, 40));
      expect(errorOf(await call("views.open", { trigger_id: late, view }))).toBe("expired_trigger_id");
      await open();
      const good = slack.world.triggers.issue("U0ARA");
      expect(errorOf(await call("views.open", { trigger_id: good, view }))).toBe("ok");
      expect(errorOf(await call("views.open", { trigger_id: good, view }))).toBe("exchanged_trigger_id");
    });

    it("as a home tab, and a home tab that the manifest did not ask for", async () => {
      expect(errorOf(await call("views.publish", { user_id: "U0ARA", view: modal([]) }))).toBe(
        "invalid_arguments",
      );
      const manifest = structuredClone(slack.world.manifest);
      Object.assign(manifest.features, { app_home: { home_tab_enabled: false } });
      await open({ manifest });
      const view = { type: "home", blocks: [] };
      expect(errorOf(await call("views.publish", { user_id: "U0ARA", view }))).toBe("not_enabled");
    });
  });

  describe("edits", () => {
    it("only its own messages, that are there, while the workspace allows it", async () => {
      const { ts } = (await post()).body;
      const edit = (over: Json): Promise<Reply> =>
        call("chat.update", { channel: "C0WORK", ts: String(ts), text: "bye", ...over });
      expect(errorOf(await edit({ ts: "1.1" }))).toBe("message_not_found");
      const words = ara.mention("C0WORK", "hello");
      expect(errorOf(await edit({ ts: words.ts }))).toBe("cant_update_message");
      expect(errorOf(await edit({}))).toBe("ok");
      slack.world.editWindowClosed = true;
      expect(errorOf(await edit({ text: "later" }))).toBe("edit_window_closed");
    });

    it("without complaint when nothing changes, and without marking it as edited", async () => {
      const { ts } = (await post()).body;
      expect(errorOf(await call("chat.update", { channel: "C0WORK", ts: String(ts), text: "hello" }))).toBe(
        "ok",
      );
      expect(slack.posts("C0WORK")[0]!.edits).toBe(0);
    });

    it("and reads an edit as a person's text unless it is told not to", async () => {
      const { ts } = (await post()).body;
      const edit = (over: Json): Promise<Reply> =>
        call("chat.update", { channel: "C0WORK", ts: String(ts), text: "@here", ...over });
      await edit({});
      expect(slack.posts("C0WORK")[0]!.mentions).toEqual(["here"]);
      await edit({ parse: "none" });
      expect(slack.posts("C0WORK")[0]!.mentions).toEqual([]);
    });
  });

  describe("rings", () => {
    it.each<[string, Json, string[]]>([
      ["whom markup names", { text: "<@U0ARA> and <!channel>" }, ["U0ARA", "channel"]],
      ["nobody for what is escaped", { text: "&lt;!channel&gt; @here" }, []],
      ["everybody whose name is linked", { text: "@here", link_names: "true" }, ["here"]],
      [
        "whom rich text names, and not what it quotes",
        { blocks: [rich({ type: "text", text: "<!channel>" }, { type: "user", user_id: "U0ARA" })] },
        ["U0ARA"],
      ],
      [
        "whom markup in a block names",
        { blocks: [{ type: "section", text: { type: "mrkdwn", text: "<!here>" } }] },
        ["here"],
      ],
    ])("%s", async (_, over, mentions) => {
      await post(over);
      expect(slack.posts("C0WORK")[0]!.mentions).toEqual(mentions);
    });
  });

  it("lets a reply to a message that is gone land in the channel, and one to a reply in its thread", async () => {
    const root = String((await post()).body["ts"]);
    const reply = await post({ thread_ts: root, reply_broadcast: "true" });
    expect(slack.messages("C0WORK")[1]).toMatchObject({ threadTs: root, broadcast: true });
    await post({ thread_ts: String(reply.body["ts"]) });
    expect(slack.messages("C0WORK")[2]).toMatchObject({ threadTs: root, broadcast: false });
    slack.world.conversations.remove("C0WORK", root);
    expect((await post({ thread_ts: root })).body["message"]).not.toHaveProperty("thread_ts");
  });

  it("shows an ephemeral message only to somebody who is there", async () => {
    const say = (user: string): Promise<Reply> =>
      call("chat.postEphemeral", { channel: "C0WORK", user, text: "psst" });
    expect(errorOf(await say("U0EVE"))).toBe("user_not_in_channel");
    expect(errorOf(await say("U0ARA"))).toBe("ok");
    expect(slack.world.conversations.ephemerals).toMatchObject([{ user: "U0ARA", text: "psst" }]);
  });

  describe("takes a file in three steps", () => {
    const ask = (given: Json): Promise<Reply> => call("files.getUploadURLExternal", given);
    const send = async (url: unknown, bytes: string): Promise<number> =>
      (await fetch(String(url), { method: "POST", body: bytes })).status;
    const share = (id: unknown, over: Json = {}): Promise<Reply> =>
      call("files.completeUploadExternal", { files: [{ id, title: "x" }], channel_id: "C0WORK", ...over });

    it("and shares it a moment later", async () => {
      const { upload_url: url, file_id: id } = (await ask({ filename: "a.txt", length: "3" })).body;
      expect(await send(url, "abc")).toBe(200);
      expect(errorOf(await share(id))).toBe("ok");
      await slack.waitFor(() => slack.files("C0WORK").length === 1, "the file");
      expect(slack.files("C0WORK")[0]!.file!.data.toString()).toBe("abc");
    });

    it("and refuses what does not fit together", async () => {
      expect(errorOf(await ask({ filename: "a.txt", length: "0" }))).toBe("invalid_arguments");
      expect(errorOf(await ask({ filename: "", length: "3" }))).toBe("invalid_arguments");
      const { upload_url: url, file_id: id } = (await ask({ filename: "a.txt", length: "3" })).body;
      expect(errorOf(await share(id))).toBe("file_update_failed");
      expect(await send(url, "ab")).toBe(400);
      expect(await send(`${slack.world.origin()}/upload/v1/F9`, "abc")).toBe(404);
      expect(errorOf(await share("F9"))).toBe("file_not_found");
      await send(url, "abc");
      expect(errorOf(await share(id, { channel_id: "C0NONE" }))).toBe("channel_not_found");
    });
  });

  it("answers through a response address five times, for half an hour, and only to one person", async () => {
    await open({ responseLifeMs: 60_000 });
    const path = slack.world.responses.issue("C0WORK", "U0ARA");
    const say = async (body: Json, at = path): Promise<number> =>
      (await fetch(`${slack.world.origin()}${at}`, { method: "POST", body: JSON.stringify(body) })).status;
    const quiet = { response_type: "ephemeral", text: "psst" };
    expect(await say({ response_type: "in_channel", text: "loud" })).toBe(500);
    expect(await say({ response_type: "ephemeral" })).toBe(400);
    for (let use = 3; use <= 5; use += 1) expect(await say(quiet)).toBe(200);
    expect(await say(quiet)).toBe(404);
    expect(await say(quiet, "/actions/T0TEAM/none")).toBe(404);
    await open({ responseLifeMs: -1 });
    expect(await say(quiet, slack.world.responses.issue("C0WORK", "U0ARA"))).toBe(404);
  });

  it("asks for patience where it is called too often, a channel for itself", async () => {
    await open({ rates: { "chat.postMessage": { perSecond: 1, burst: 1 } } });
    slack.channel("C0OTHER", [ara]);
    expect((await post()).status).toBe(200);
    expect(await post()).toMatchObject({ status: 429, retryAfter: "1", body: { error: "ratelimited" } });
    expect((await post({ channel: "C0OTHER" })).status).toBe(200);
  });

  describe("fails on demand", () => {
    it.each([
      [{ error: "fatal_error" }, 200],
      [{ status: 503 }, 503],
      [{ status: 429, retryAfter: 7 }, 429],
    ] as const)("%j", async (fault, status) => {
      slack.failNext("chat.postMessage", fault);
      expect((await post()).status).toBe(status);
      expect(slack.messages("C0WORK")).toEqual([]);
      expect(errorOf(await post())).toBe("ok");
    });

    it.each(["drop", "drop-after-effect"] as const)("%s", async (fault) => {
      slack.failNext("*", fault);
      await expect(post()).rejects.toThrow();
      expect(slack.messages("C0WORK")).toHaveLength(fault === "drop" ? 0 : 1);
    });

    it("hollow, garbage and hanging replies", async () => {
      slack.failNext("chat.postMessage", "hollow");
      expect((await post()).body).toEqual({ ok: true });
      slack.failNext("chat.postMessage", "garbage");
      await expect(post()).rejects.toThrow();
      for (const fault of ["hang", "hang-after-effect"] as const) {
        slack.failNext("chat.postMessage", fault);
        const before = slack.messages("C0WORK").length;
        void post().catch(() => undefined);
        await slack.waitFor(
          () => slack.requests.at(-1)?.status === null && slack.faultsLeft === 0,
          "the call",
        );
        expect(slack.messages("C0WORK").length - before).toBe(fault === "hang" ? 0 : 1);
      }
    });

    it("a whole outage", async () => {
      await slack.outage();
      await expect(post()).rejects.toThrow();
      await slack.restore();
      expect(errorOf(await post())).toBe("ok");
    });
  });

  describe("people", () => {
    const card = async (over: Json = {}) => {
      await post({ blocks: [actions(button(over))] });
      return slack.posts("C0WORK").at(-1)!;
    };

    it("press only what they see, and are asked where the client asks", async () => {
      const message = await card({
        confirm: { title: plain("?"), text: plain("x"), confirm: plain("y"), deny: plain("n") },
      });
      expect(() => ara.press(message, "No")).toThrow("shows no button");
      expect(() => ara.press(message, 0)).toThrow("asks first");
      expect(await ara.press(message, 0, { sure: false }).ack).toEqual({ kind: "unsent" });
      expect(slack.world.gateway.records).toEqual([]);
    });

    it("see that it failed when no program is connected", async () => {
      expect(await ara.press(await card(), 0).ack).toEqual({ kind: "unsent" });
    });

    it("have no command and cause no event that the manifest does not name", async () => {
      expect(() => ara.command("x", { command: "/deploy" })).toThrow("has no command");
      const manifest = structuredClone(slack.world.manifest);
      Object.assign(manifest.settings, { event_subscriptions: { bot_events: [] } });
      await open({ manifest });
      ara.say("hello");
      ara.openHome();
      expect(slack.world.gateway.records).toEqual([]);
    });

    it("cannot send a form that lacks something", async () => {
      const text = input({ type: "plain_text_input", action_id: "v", max_length: 3 });
      const pick = input({ type: "radio_buttons", action_id: "p", options: options(2) });
      await openView(modal([text]));
      expect(() => ara.submit({})).toThrow("wants a text");
      expect(() => ara.submit({ text: "abcd" })).toThrow("no longer text");
      expect(() => ara.submit({ text: "a\nb" })).toThrow("one line");
      await openView(modal([pick]));
      expect(() => ara.submit({})).toThrow("wants an option");
    });
  });
});
