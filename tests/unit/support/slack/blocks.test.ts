/** The Slack emulator refuses blocks beyond the service's limits and names what is wrong. */
import { describe, expect, it } from "vitest";
import { actions, button, readError, input, plain, pointed, rich, useService } from "./service.js";

describe("the Slack emulator: blocks", () => {
  const service = useService();

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
      const reply = await service.post({ blocks });
      expect(readError(reply)).toBe("invalid_blocks");
      expect(pointed(reply)).toBe(problem);
    });

    it("and takes valid ones", async () => {
      const blocks = [rich({ type: "text", text: "ok" }), actions(button()), { type: "divider" }];
      expect(readError(await service.post({ blocks }))).toBe("ok");
    });
  });
});
