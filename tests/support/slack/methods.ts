/** The methods of the Web API that the emulator has. Each refuses what the real one refuses. */
import { checkMessageBlocks, checkView } from "./blocks.js";
import { listMentions, type Message, type Parsing } from "./conversations.js";
import { completeUpload, uploadUrl } from "./files.js";
import { isJson, parseJson, readText, type Json } from "./json.js";
import { Refusal } from "./refusal.js";
import type { World } from "./world.js";

export type Parameters = Readonly<Record<string, unknown>>;

export interface Method {
  /** Scopes that the token needs. */
  readonly scopes: readonly string[];
  /** Only an app-level token may call it. */
  readonly appLevel?: boolean;
  readonly run: (world: World, given: Parameters) => Json;
}

const TEXT_MAX = 40_000;

export const METHODS: Readonly<Record<string, Method>> = {
  "auth.test": { scopes: [], run: authTest },
  "apps.connections.open": { scopes: ["connections:write"], appLevel: true, run: openConnection },
  "chat.postMessage": { scopes: ["chat:write"], run: postMessage },
  "chat.update": { scopes: ["chat:write"], run: updateMessage },
  "chat.postEphemeral": { scopes: ["chat:write"], run: postEphemeral },
  "views.open": { scopes: [], run: openView },
  "views.publish": { scopes: [], run: publishView },
  "files.getUploadURLExternal": { scopes: ["files:write"], run: uploadUrl },
  "files.completeUploadExternal": { scopes: ["files:write"], run: completeUpload },
};

function authTest({ team, bot }: World): Json {
  return {
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: "atlasbridge",
    team_id: team.id,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  };
}

function openConnection({ manifest, gateway, origin, appId }: World): Json {
  if (manifest.settings.socket_mode_enabled !== true) throw new Refusal("socket_mode_not_enabled");
  const url = new URL("/link/", origin().replace(/^http/, "ws"));
  url.searchParams.set("ticket", gateway.ticket());
  url.searchParams.set("app_id", appId);
  return { url: url.href };
}

function postMessage(world: World, given: Parameters): Json {
  const { conversations, bot } = world;
  const conversation = conversations.writable(given["channel"], bot.userId);
  const content = readContent(given, "none");
  const threadTs = readText(given["thread_ts"]) || null;
  if (threadTs !== null && !TS.test(threadTs)) throw new Refusal("invalid_thread_ts");
  world.rate.spend("chat.postMessage", conversation.id);
  const message = conversations.add({
    channel: conversation.id,
    user: bot.userId,
    ...content,
    threadTs,
    broadcast: given["reply_broadcast"] === "true" && threadTs !== null,
    file: null,
  });
  return { channel: conversation.id, ts: message.ts, message: messageJson(world, message) };
}

function updateMessage(world: World, given: Parameters): Json {
  const { conversations, bot } = world;
  const conversation = conversations.writable(given["channel"], bot.userId);
  const message = conversations.find(conversation.id, readText(given["ts"]));
  if (!message) throw new Refusal("message_not_found");
  if (message.user !== bot.userId) throw new Refusal("cant_update_message");
  if (world.editWindowClosed) throw new Refusal("edit_window_closed");
  // Unlike a new message, an edited one is read as a person's would be unless it says otherwise.
  const content = readContent(given, "client");
  world.rate.spend("chat.update", conversation.id);
  const same =
    JSON.stringify([content.text, content.blocks]) === JSON.stringify([message.text, message.blocks]);
  const next = conversations.replace({ ...message, ...content, edits: message.edits + (same ? 0 : 1) });
  return { channel: conversation.id, ts: message.ts, text: next.text, message: messageJson(world, next) };
}

function postEphemeral(world: World, given: Parameters): Json {
  const { conversations, bot } = world;
  const conversation = conversations.writable(given["channel"], bot.userId);
  const user = readText(given["user"]);
  if (!conversation.members.has(user)) throw new Refusal("user_not_in_channel");
  const { text, blocks } = readContent(given, "none");
  world.rate.spend("chat.postEphemeral", conversation.id);
  const threadTs = readText(given["thread_ts"]) || null;
  conversations.ephemerals.push({ channel: conversation.id, user, threadTs, text, blocks, via: null });
  return { message_ts: conversations.nextTs() };
}

function openView(world: World, given: Parameters): Json {
  const view = checkView(parseJson(given["view"]));
  if (view["type"] !== "modal") throw new Refusal("invalid_arguments");
  const user = world.triggers.redeem(given["trigger_id"]);
  world.rate.spend("views.open", user);
  const id = `V${String(world.modals.length + 1).padStart(8, "0")}`;
  world.modals.push({ id, user, view });
  return { view: { id, ...view } };
}

function publishView(world: World, given: Parameters): Json {
  const view = checkView(parseJson(given["view"]));
  if (view["type"] !== "home") throw new Refusal("invalid_arguments");
  if (world.manifest.features.app_home?.home_tab_enabled !== true) throw new Refusal("not_enabled");
  const user = readText(given["user_id"]);
  world.rate.spend("views.publish", user);
  world.homes.set(user, view);
  return { view };
}

const TS = /^\d{10}\.\d{6}$/;

function readContent(given: Parameters, defaultParse: string): Pick<Message, "text" | "blocks" | "mentions"> {
  const text = readText(given["text"]);
  const blocks = given["blocks"] === undefined ? [] : checkMessageBlocks(parseJson(given["blocks"]));
  if (text === "" && blocks.length === 0) throw new Refusal("no_text");
  if (text.length > TEXT_MAX) throw new Refusal("msg_too_long");
  const parsing: Parsing = {
    parse: readText(given["parse"]) || defaultParse,
    linkNames: given["link_names"] === "true",
  };
  return { text, blocks, mentions: listMentions(text, blocks, parsing) };
}

export function messageJson(world: World, message: Message): Json {
  const ours = message.user === world.bot.userId;
  return {
    type: "message",
    ts: message.ts,
    user: message.user,
    text: message.text,
    team: world.team.id,
    ...(ours ? { bot_id: world.bot.botId, app_id: world.appId } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks.map(withBlockId) } : {}),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(message.edits > 0 ? { edited: { user: message.user, ts: message.ts } } : {}),
  };
}

/** The service names blocks that came without a name. */
export function withBlockId(block: Json, index: number): Json {
  return isJson(block) ? { block_id: `b${index}x`, ...block } : block;
}
