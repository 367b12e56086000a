/** The emulator, called as a program would call it, for tests of what it refuses. */
import { afterEach, beforeEach } from "vitest";
import {
  startSlack,
  type EmulatorOptions,
  type SlackEmulator,
  type User,
} from "../../../support/slack/emulator.js";
import type { Json } from "../../../support/slack/json.js";

export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly retryAfter: string | null;
}

export const plain = (text: string) => ({ type: "plain_text", text });
export const button = (over: Json = {}) => ({
  type: "button",
  action_id: "a",
  text: plain("Yes"),
  value: "v",
  ...over,
});
export const actions = (...elements: unknown[]) => ({ type: "actions", elements });
export const rich = (...elements: unknown[]) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }],
});
export const input = (element: Json, over: Json = {}) => ({
  type: "input",
  label: plain("Words"),
  element,
  ...over,
});
export const modal = (blocks: unknown[], over: Json = {}) => ({
  type: "modal",
  title: plain("Answer"),
  submit: plain("Send"),
  blocks,
  ...over,
});
export const options = (count: number, text = "One") =>
  Array.from({ length: count }, (_, at) => ({ text: plain(text), value: String(at) }));

/** A fresh one for every test. `slack` and `ara` are those of the test that runs. */
export class Service {
  slack!: SlackEmulator;
  ara!: User;

  /** Another one, with options. */
  readonly open = async (over: EmulatorOptions = {}): Promise<void> => {
    await this.slack.stop();
    await this.start(over);
  };

  async start(over: EmulatorOptions = {}): Promise<void> {
    this.slack = await startSlack({ rates: null, ...over });
    this.ara = this.slack.user("U0ARA", "Ara");
    this.slack.channel("C0WORK", [this.ara]);
  }

  readonly call = async (method: string, given: Json = {}, token = this.slack.botToken): Promise<Reply> => {
    const fields = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
    const response = await fetch(`${this.slack.apiUrl}${method}`, {
      method: "POST",
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
      body: new URLSearchParams(fields as [string, string][]),
    });
    const body = (await response.json()) as Json;
    return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
  };

  readonly post = (over: Json = {}): Promise<Reply> =>
    this.call("chat.postMessage", { channel: "C0WORK", text: "hello", ...over });

  readonly openView = (view: Json): Promise<Reply> =>
    this.call("views.open", { trigger_id: this.slack.world.triggers.issue("U0ARA"), view });
}

export function useService(): Service {
  const service = new Service();
  beforeEach(() => service.start());
  afterEach(() => service.slack.stop());
  return service;
}

export const readError = ({ body }: Reply): unknown => (body["ok"] === true ? "ok" : body["error"]);
export const pointed = ({ body }: Reply): string => String((body["errors"] as string[] | undefined)?.[0]);
