/** Answers one request: the right token with the right scopes, then the method, the upload, or the response address. */
import { takeUpload } from "./files.js";
import { parsed } from "./http.js";
import { METHODS, type Parameters } from "./methods.js";
import { eventCallback, messageEvent } from "./payloads.js";
import { Refusal } from "./refusal.js";
import type { World } from "./world.js";

export interface Call {
  readonly route: string;
  readonly pathname: string;
  readonly token: string;
  readonly given: Parameters;
  readonly body: Buffer;
}

export interface Answer {
  readonly content: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export class Desk {
  appScopes: readonly string[] = ["connections:write"];
  readonly #world: World;
  readonly #tokens: { readonly bot: string; readonly app: string };

  constructor(world: World, tokens: { readonly bot: string; readonly app: string }) {
    this.#world = world;
    this.#tokens = tokens;
  }

  answer({ route, pathname, token, given, body }: Call): Answer {
    if (route === "upload") {
      takeUpload(this.#world, pathname.split("/").at(-1) ?? "", body);
      return { content: "OK", headers: {} };
    }
    if (route === "response") {
      this.#world.responses.take(pathname, parsed(body));
      return { content: "ok", headers: {} };
    }
    const method = METHODS[route];
    if (!method) throw new Refusal("unknown_method", { body: { req_method: route } });
    const granted = this.#findGrant(token, method.appLevel === true);
    const needed = method.scopes.find((scope) => !granted.includes(scope));
    const provided = granted.join(",");
    if (needed !== undefined) throw new Refusal("missing_scope", { body: { needed, provided } });
    const content = { ok: true, ...method.run(this.#world, given) };
    if (route === "chat.postMessage" || route === "chat.update") this.#echo(content);
    return { content, headers: { "x-oauth-scopes": provided } };
  }

  /** Scopes of the token that came with the request. */
  #findGrant(token: string, appLevel: boolean): readonly string[] {
    const { bot, app } = this.#tokens;
    if (token === "") throw new Refusal("not_authed");
    if (token !== bot && token !== app) throw new Refusal("invalid_auth");
    if ((token === app) !== appLevel) throw new Refusal("not_allowed_token_type");
    return appLevel ? this.appScopes : [...this.#world.scopes];
  }

  /** In a direct conversation the app hears of its own messages, too. */
  #echo(content: Readonly<Record<string, unknown>>): void {
    const { conversations, gateway, manifest } = this.#world;
    const message = conversations.find(String(content["channel"]), String(content["ts"]));
    const wanted = manifest.settings.event_subscriptions?.bot_events.includes("message.im") ?? false;
    if (!message || !wanted || conversations.get(message.channel)?.kind !== "im") return;
    const own = messageEvent(this.#world, message, null);
    const where = { channel: message.channel, channel_type: "im" };
    const changed = { type: "message", subtype: "message_changed", hidden: true, ...where };
    const event = message.edits === 0 ? own : { ...changed, message: own, previous_message: own };
    void gateway.send("events_api", eventCallback(this.#world, event));
  }
}
