/** The Slack emulator opens a form only once, on a trigger of at most three seconds, and refuses an invalid one. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../support/slack/json.js";
import { readError, input, modal, options, plain, pointed, useService } from "./service.js";

describe("the Slack emulator: forms", () => {
  const service = useService();

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
      const reply = await service.openView(view);
      expect(readError(reply)).toBe("invalid_arguments");
      expect(pointed(reply)).toContain(`[json-pointer:${pointer}]`);
      expect(service.ara.form).toBeUndefined();
    });

    it("without a trigger, after its three seconds, and twice on one", async () => {
      await service.open({ triggerTtlMs: -1 });
      const view = modal([]);
      expect(readError(await service.call("views.open", { trigger_id: "1.2.3", view }))).toBe(
        "invalid_trigger_id",
      );
      const late = service.slack.world.triggers.issue("U0ARA");
      expect(readError(await service.call("views.open", { trigger_id: late, view }))).toBe(
        "expired_trigger_id",
      );
      await service.open();
      const good = service.slack.world.triggers.issue("U0ARA");
      expect(readError(await service.call("views.open", { trigger_id: good, view }))).toBe("ok");
      expect(readError(await service.call("views.open", { trigger_id: good, view }))).toBe(
        "exchanged_trigger_id",
      );
    });

    it("as a home tab, and a home tab that the manifest did not ask for", async () => {
      expect(readError(await service.call("views.publish", { user_id: "U0ARA", view: modal([]) }))).toBe(
        "invalid_arguments",
      );
      const manifest = structuredClone(service.slack.world.manifest);
      Object.assign(manifest.features, { app_home: { home_tab_enabled: false } });
      await service.open({ manifest });
      const view = { type: "home", blocks: [] };
      expect(readError(await service.call("views.publish", { user_id: "U0ARA", view }))).toBe("not_enabled");
    });
  });
});
