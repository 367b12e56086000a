/** What the service sends to an app when people do something. */
import { messageJson } from "./methods.js";
import type { Message } from "./conversations.js";
import { isJson, readList, readText, type Json } from "./json.js";
import type { View, World } from "./world.js";

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Another organisation's for guests of a shared channel. */
  readonly team: string;
}

/** Long deprecated, still sent, and nobody's business. */
export const VERIFICATION_TOKEN = "verification-token-of-old";

function common(world: World, person: Person): Json {
  return {
    token: VERIFICATION_TOKEN,
    api_app_id: world.appId,
    team: { id: world.team.id, domain: world.team.domain },
    user: { id: person.id, username: person.name.toLowerCase(), name: person.name, team_id: person.team },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export interface Pressed {
  readonly message: Message;
  readonly button: Json;
  readonly person: Person;
  readonly triggerId: string;
  readonly responsePath: string;
  /** The message that carries a copy, where the button was pressed on one. */
  readonly copy?: Message;
}

export function blockActions(world: World, pressed: Pressed): Json {
  const { message, button, person, triggerId, responsePath, copy } = pressed;
  const shown = copy ?? message;
  const where = { message_ts: shown.ts, channel_id: shown.channel, is_ephemeral: false };
  return {
    ...common(world, person),
    type: "block_actions",
    container: copy
      ? { type: "message_attachment", attachment_id: 1, is_app_unfurl: false, ...where }
      : { type: "message", ...where, ...(shown.threadTs === null ? {} : { thread_ts: shown.threadTs }) },
    trigger_id: triggerId,
    channel: { id: shown.channel, name: "somewhere" },
    message: messageJson(world, shown),
    state: { values: {} },
    response_url: `${world.origin()}${responsePath}`,
    actions: [{ ...button, block_id: "b9x", type: "button", action_ts: world.conversations.nextTs() }],
  };
}

/** A button of what only this person sees: the service sends no copy of such a message, and nobody can edit it. */
export function ephemeralActions(
  world: World,
  pressed: Pick<Pressed, "button" | "person" | "triggerId" | "responsePath"> & { readonly channel: string },
): Json {
  const { button, person, triggerId, responsePath, channel } = pressed;
  const ts = world.conversations.nextTs();
  return {
    ...common(world, person),
    type: "block_actions",
    container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: true },
    trigger_id: triggerId,
    channel: { id: channel, name: "somewhere" },
    state: { values: {} },
    response_url: `${world.origin()}${responsePath}`,
    actions: [{ ...button, block_id: "b9x", type: "button", action_ts: world.conversations.nextTs() }],
  };
}

export function viewSubmission(world: World, person: Person, { id, view }: View, values: Json): Json {
  return {
    ...common(world, person),
    type: "view_submission",
    trigger_id: world.triggers.issue(person.id),
    view: { ...view, id, team_id: world.team.id, state: { values }, hash: "1.x", app_id: world.appId },
    response_urls: [],
  };
}

export function slashCommand(
  world: World,
  person: Person,
  given: {
    readonly command: string;
    readonly text: string;
    readonly channel: string;
    readonly responsePath: string;
  },
): Json {
  return {
    token: VERIFICATION_TOKEN,
    api_app_id: world.appId,
    team_id: person.team,
    team_domain: world.team.domain,
    channel_id: given.channel,
    channel_name: "somewhere",
    user_id: person.id,
    user_name: person.name.toLowerCase(),
    command: given.command,
    text: given.text,
    is_enterprise_install: "false",
    response_url: `${world.origin()}${given.responsePath}`,
    trigger_id: world.triggers.issue(person.id),
  };
}

/** An event in its envelope's payload. */
export function eventCallback(world: World, event: Json): Json {
  const channel = world.conversations.get(readText(event["channel"]));
  return {
    token: VERIFICATION_TOKEN,
    team_id: world.team.id,
    api_app_id: world.appId,
    event,
    type: "event_callback",
    event_id: `Ev${world.conversations.nextTs().replace(".", "")}`,
    event_time: 1_767_277_800,
    authorizations: [
      {
        enterprise_id: null,
        team_id: world.team.id,
        user_id: world.bot.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
    event_context: "1-message-T0TEAM",
  };
}

export function messageEvent(world: World, message: Message, person: Person | null, over: Json = {}): Json {
  const conversation = world.conversations.get(message.channel);
  const { bot_id: botId, app_id: appId } = messageJson(world, message);
  return {
    type: "message",
    channel: message.channel,
    channel_type: conversation?.kind === "im" ? "im" : "channel",
    user: message.user,
    text: message.text,
    ts: message.ts,
    event_ts: message.ts,
    team: person?.team ?? world.team.id,
    ...(person === null
      ? { bot_id: botId, app_id: appId }
      : { user_team: person.team, source_team: person.team }),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...over,
  };
}

/** As a client sends what a person typed: three characters escaped, addresses in brackets. */
export function typed(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/\bhttps?:\/\/[^\s<>|]+/g, (url) => `<${url}>`);
}

/** The buttons of a message in their order. */
export function listButtons({ blocks }: Pick<Message, "blocks">): readonly Json[] {
  return blocks
    .filter(({ type }) => type === "actions")
    .flatMap(({ elements }) => readList(elements).filter(isJson));
}
