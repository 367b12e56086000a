/** The Slack emulator checks tokens, scopes, channels, edits and files as the service does. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../support/slack/json.js";
import { readError, rich, type Reply, useService } from "./service.js";

describe("the Slack emulator: messages", () => {
  const service = useService();

  describe("knows whose token it is", () => {
    it.each([
      ["none", "auth.test", "", "not_authed"],
      ["a wrong one", "auth.test", "xoxb-wrong", "invalid_auth"],
      ["an app-level one where a bot's belongs", "auth.test", "app", "not_allowed_token_type"],
      ["a bot's where an app-level one belongs", "apps.connections.open", "bot", "not_allowed_token_type"],
    ])("%s", async (_, method, which, error) => {
      const token =
        which === "app" ? service.slack.appToken : which === "bot" ? service.slack.botToken : which;
      expect(readError(await service.call(method, {}, token))).toBe(error);
    });

    it("and what it may do, which is what the manifest asked for", async () => {
      expect((await service.call("auth.test")).body).toMatchObject({ team_id: "T0TEAM", user_id: "U0BOT" });
      service.slack.world.scopes.delete("chat:write");
      expect((await service.post()).body).toMatchObject({ error: "missing_scope", needed: "chat:write" });
      service.slack.forgetAppScope();
      expect((await service.call("apps.connections.open", {}, service.slack.appToken)).body).toMatchObject({
        error: "missing_scope",
        needed: "connections:write",
      });
    });

    it("and refuses an unknown method", async () => {
      expect(readError(await service.call("chat.sing"))).toBe("unknown_method");
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
      expect(readError(await service.post(over))).toBe(error);
      expect(service.slack.messages("C0WORK")).toEqual([]);
    });

    it("to a channel that the app is not in, or that is closed", async () => {
      service.slack.channel("C0ELSE", [service.ara], { invited: false });
      expect(readError(await service.post({ channel: "C0ELSE" }))).toBe("not_in_channel");
      service.slack.world.conversations.get("C0WORK")!.archived = true;
      expect(readError(await service.post())).toBe("is_archived");
    });
  });

  describe("edits", () => {
    it("only its own messages, that are there, while the workspace allows it", async () => {
      const { ts } = (await service.post()).body;
      const edit = (over: Json): Promise<Reply> =>
        service.call("chat.update", { channel: "C0WORK", ts: String(ts), text: "bye", ...over });
      expect(readError(await edit({ ts: "1.1" }))).toBe("message_not_found");
      const words = service.ara.mention("C0WORK", "hello");
      expect(readError(await edit({ ts: words.ts }))).toBe("cant_update_message");
      expect(readError(await edit({}))).toBe("ok");
      service.slack.world.editWindowClosed = true;
      expect(readError(await edit({ text: "later" }))).toBe("edit_window_closed");
    });

    it("without complaint when nothing changes, and without marking it as edited", async () => {
      const { ts } = (await service.post()).body;
      expect(
        readError(await service.call("chat.update", { channel: "C0WORK", ts: String(ts), text: "hello" })),
      ).toBe("ok");
      expect(service.slack.posts("C0WORK")[0]!.edits).toBe(0);
    });

    it("and reads an edit as a person's text unless it is told not to", async () => {
      const { ts } = (await service.post()).body;
      const edit = (over: Json): Promise<Reply> =>
        service.call("chat.update", { channel: "C0WORK", ts: String(ts), text: "@here", ...over });
      await edit({});
      expect(service.slack.posts("C0WORK")[0]!.mentions).toEqual(["here"]);
      await edit({ parse: "none" });
      expect(service.slack.posts("C0WORK")[0]!.mentions).toEqual([]);
    });
  });

  describe("notifies", () => {
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
      await service.post(over);
      expect(service.slack.posts("C0WORK")[0]!.mentions).toEqual(mentions);
    });
  });

  it("lets a reply to a message that is gone land in the channel, and one to a reply in its thread", async () => {
    const root = String((await service.post()).body["ts"]);
    const reply = await service.post({ thread_ts: root, reply_broadcast: "true" });
    expect(service.slack.messages("C0WORK")[1]).toMatchObject({ threadTs: root, broadcast: true });
    await service.post({ thread_ts: String(reply.body["ts"]) });
    expect(service.slack.messages("C0WORK")[2]).toMatchObject({ threadTs: root, broadcast: false });
    service.slack.world.conversations.remove("C0WORK", root);
    expect((await service.post({ thread_ts: root })).body["message"]).not.toHaveProperty("thread_ts");
  });

  it("shows an ephemeral message only to somebody who is there", async () => {
    const say = (user: string): Promise<Reply> =>
      service.call("chat.postEphemeral", { channel: "C0WORK", user, text: "psst" });
    expect(readError(await say("U0EVE"))).toBe("user_not_in_channel");
    expect(readError(await say("U0ARA"))).toBe("ok");
    expect(service.slack.world.conversations.ephemerals).toMatchObject([{ user: "U0ARA", text: "psst" }]);
  });

  describe("takes a file in three steps", () => {
    const ask = (given: Json): Promise<Reply> => service.call("files.getUploadURLExternal", given);
    const send = async (url: unknown, bytes: string): Promise<number> =>
      (await fetch(String(url), { method: "POST", body: bytes })).status;
    const share = (id: unknown, over: Json = {}): Promise<Reply> =>
      service.call("files.completeUploadExternal", {
        files: [{ id, title: "x" }],
        channel_id: "C0WORK",
        ...over,
      });

    it("and shares it a moment later", async () => {
      const { upload_url: url, file_id: id } = (await ask({ filename: "a.txt", length: "3" })).body;
      expect(await send(url, "abc")).toBe(200);
      expect(readError(await share(id))).toBe("ok");
      await service.slack.waitFor(() => service.slack.files("C0WORK").length === 1, "the file");
      expect(service.slack.files("C0WORK")[0]!.file!.data.toString()).toBe("abc");
    });

    it("and refuses what does not fit together", async () => {
      expect(readError(await ask({ filename: "a.txt", length: "0" }))).toBe("invalid_arguments");
      expect(readError(await ask({ filename: "", length: "3" }))).toBe("invalid_arguments");
      const { upload_url: url, file_id: id } = (await ask({ filename: "a.txt", length: "3" })).body;
      expect(readError(await share(id))).toBe("file_update_failed");
      expect(await send(url, "ab")).toBe(400);
      expect(await send(`${service.slack.world.origin()}/upload/v1/F9`, "abc")).toBe(404);
      expect(readError(await share("F9"))).toBe("file_not_found");
      await send(url, "abc");
      expect(readError(await share(id, { channel_id: "C0NONE" }))).toBe("channel_not_found");
    });
  });
});
