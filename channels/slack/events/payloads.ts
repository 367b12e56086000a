/** Parses the parts of a stored envelope that we use. Pure; any JSON gives one of our kinds or null. */
import * as v from "valibot";
import { parseSubmission, FORM_CALLBACK, type SlackFormAnswer } from "../cards/submission.js";

/** The row in the inbox: an envelope of the service, when we received it, and the app's workspace. */
export interface StoredEnvelope {
  readonly receivedAt: number;
  /** The app's own workspace; members of another one are guests. */
  readonly team: string;
  readonly type: string;
  readonly payload: unknown;
}

const actor = v.object({
  id: v.string(),
  team_id: v.optional(v.nullable(v.string())),
  username: v.optional(v.string(), ""),
  name: v.optional(v.string(), ""),
});

const press = v.object({
  type: v.literal("block_actions"),
  user: actor,
  trigger_id: v.string(),
  response_url: v.optional(v.string()),
  container: v.object({
    type: v.string(),
    message_ts: v.optional(v.string(), ""),
    channel_id: v.optional(v.string(), ""),
    thread_ts: v.optional(v.string()),
  }),
  message: v.optional(
    v.object({
      text: v.optional(v.string(), ""),
      blocks: v.optional(v.array(v.looseObject({ type: v.string() }))),
    }),
  ),
  actions: v.pipe(
    v.array(
      v.object({
        action_id: v.string(),
        value: v.optional(v.string(), ""),
        action_ts: v.optional(v.string()),
      }),
    ),
    v.minLength(1),
  ),
});

const submission = v.object({
  type: v.literal("view_submission"),
  user: actor,
  view: v.object({
    callback_id: v.literal(FORM_CALLBACK),
    private_metadata: v.string(),
    state: v.object({ values: v.unknown() }),
  }),
});

const command = v.object({
  command: v.string(),
  text: v.optional(v.string(), ""),
  team_id: v.string(),
  channel_id: v.string(),
  user_id: v.string(),
  user_name: v.optional(v.string(), ""),
  response_url: v.optional(v.string()),
});

const words = v.object({
  user: v.optional(v.string()),
  text: v.optional(v.string(), ""),
  ts: v.string(),
  thread_ts: v.optional(v.string()),
  team: v.optional(v.string()),
  user_team: v.optional(v.string()),
  user_profile: v.optional(v.object({ is_stranger: v.optional(v.boolean()) })),
  // If present, the message is not from a person.
  bot_id: v.optional(v.unknown()),
});

const event = v.object({
  event: v.looseObject({ type: v.string() }),
  is_ext_shared_channel: v.optional(v.boolean(), false),
});

const said = v.object({
  ...words.entries,
  channel: v.string(),
  subtype: v.optional(v.string()),
  // The service reports a mention anew when its message is edited.
  edited: v.optional(v.unknown()),
  files: v.optional(v.array(v.unknown())),
});
const changed = v.object({
  channel: v.string(),
  subtype: v.literal("message_changed"),
  message: words,
  previous_message: v.optional(v.object({ text: v.optional(v.string(), "") })),
});
const homeOpened = v.object({ type: v.literal("app_home_opened"), user: v.string(), tab: v.literal("home") });

const row = v.object({
  receivedAt: v.number(),
  team: v.string(),
  type: v.string(),
  payload: v.unknown(),
});

export type Press = v.InferOutput<typeof press>;
export type SlashCommand = v.InferOutput<typeof command>;
export type MessageWords = v.InferOutput<typeof words>;

/** A person who acted: `team` is null if the service does not say. */
export interface Actor {
  readonly user: string;
  readonly team: string | null;
  readonly name: string;
}

export type ParsedPayload = {
  readonly receivedAt: number;
  readonly ownTeam: string;
  readonly actor: Actor;
} & (
  | { readonly kind: "press"; readonly press: Press }
  | { readonly kind: "submission"; readonly answer: SlackFormAnswer }
  | { readonly kind: "command"; readonly command: SlashCommand }
  | {
      readonly kind: "message";
      readonly channel: string;
      readonly words: MessageWords;
      readonly edited: boolean;
      /** It comes with files: its text is their caption. */
      readonly isMedia: boolean;
    }
  | { readonly kind: "home" }
);

/** Null for everything we ignore: other apps' messages, hidden ones, joins and leaves, and foreign JSON. */
export function parseStored(raw: unknown): ParsedPayload | null {
  const parsed = v.safeParse(row, raw);
  if (!parsed.success) return null;
  const { receivedAt, team: ownTeam, type, payload } = parsed.output;
  const read = READERS[type]?.(payload);
  return read ? { receivedAt, ownTeam, ...read } : null;
}

type ReadPayload = ParsedPayload extends infer P
  ? P extends ParsedPayload
    ? Omit<P, "receivedAt" | "ownTeam">
    : never
  : never;

const READERS: Readonly<Record<string, (payload: unknown) => ReadPayload | null>> = {
  interactive: readInteraction,
  slash_commands: readCommand,
  events_api: readEvent,
};

function readInteraction(payload: unknown): ReadPayload | null {
  const asPress = v.safeParse(press, payload);
  if (asPress.success) return { kind: "press", press: asPress.output, actor: toActor(asPress.output.user) };
  const asForm = v.safeParse(submission, payload);
  if (!asForm.success) return null;
  const { view, user } = asForm.output;
  const answer = parseSubmission(view.private_metadata, view.state.values);
  return answer ? { kind: "submission", answer, actor: toActor(user) } : null;
}

function toActor({ id, team_id: team, name, username }: v.InferOutput<typeof actor>): Actor {
  return { user: id, team: team ?? null, name: name || username || id };
}

function readCommand(payload: unknown): ReadPayload | null {
  const parsed = v.safeParse(command, payload);
  if (!parsed.success) return null;
  const { user_id: user, team_id: team, user_name: name } = parsed.output;
  return { kind: "command", command: parsed.output, actor: { user, team, name: name || user } };
}

function readEvent(payload: unknown): ReadPayload | null {
  const parsed = v.safeParse(event, payload);
  if (!parsed.success) return null;
  const { event: inner, is_ext_shared_channel: shared } = parsed.output;
  if (inner.type === "app_home_opened") return readHome(inner);
  return inner.type === "message" || inner.type === "app_mention" ? readMessage(inner, shared) : null;
}

function readHome(inner: unknown): ReadPayload | null {
  const home = v.safeParse(homeOpened, inner);
  // Only members of the workspace can open a home tab.
  return home.success
    ? { kind: "home", actor: { user: home.output.user, team: null, name: home.output.user } }
    : null;
}

function readMessage(inner: unknown, shared: boolean): ReadPayload | null {
  const edit = v.safeParse(changed, inner);
  if (edit.success) {
    const { channel, message, previous_message: before } = edit.output;
    // The service also reports a "change" when it only added a preview.
    return before?.text === message.text ? null : toMessage(channel, message, { shared, edited: true });
  }
  const plain = v.safeParse(said, inner);
  if (!plain.success || !OWN_MESSAGES.includes(plain.output.subtype)) return null;
  const isMedia = plain.output.files !== undefined;
  return toMessage(plain.output.channel, plain.output, {
    shared,
    edited: plain.output.edited !== undefined,
    isMedia,
  });
}

/** Of a person, not of the service. */
const OWN_MESSAGES: readonly (string | undefined)[] = [undefined, "thread_broadcast", "file_share"];

/** The envelope with `text` in place of what the person wrote; of everything else only what we use. */
export function replaceText(raw: unknown, text: string): unknown {
  const stored = v.safeParse(row, raw);
  if (!stored.success) return raw;
  const asCommand = v.safeParse(command, stored.output.payload);
  if (asCommand.success) return { ...stored.output, payload: { ...asCommand.output, text } };
  const asEvent = v.safeParse(event, stored.output.payload);
  if (!asEvent.success) return raw;
  const replaced = replaceEventText(asEvent.output.event, text);
  if (replaced === null) return raw;
  const next = { type: asEvent.output.event.type, ...replaced };
  return { ...stored.output, payload: { ...asEvent.output, event: next } };
}

function replaceEventText(inner: unknown, text: string): object | null {
  const edit = v.safeParse(changed, inner);
  if (edit.success) {
    const { channel, subtype, message } = edit.output;
    return { channel, subtype, message: { ...message, text } };
  }
  const plain = v.safeParse(said, inner);
  if (!plain.success) return null;
  // A file may come with a preview of what it says.
  return { ...plain.output, text, ...(plain.output.files && { files: [] }) };
}

/** The envelope without the words from before an edit. Interpret it first: they tell an edit from an added preview. */
export function removePreviousWords(envelope: StoredEnvelope): StoredEnvelope {
  const asEvent = v.safeParse(v.looseObject(event.entries), envelope.payload);
  if (!asEvent.success || asEvent.output.event["previous_message"] === undefined) return envelope;
  const kept = { ...asEvent.output.event, previous_message: undefined };
  return { ...envelope, payload: { ...asEvent.output, event: kept } };
}

interface MessageTraits {
  readonly shared: boolean;
  readonly edited: boolean;
  readonly isMedia?: boolean;
}

function toMessage(
  channel: string,
  sent: MessageWords,
  { shared, edited, isMedia = false }: MessageTraits,
): ReadPayload | null {
  const { user, bot_id: bot } = sent;
  if (user === undefined || bot !== undefined) return null;
  // In a channel shared with another organisation, a person without a team may belong to that one.
  const unknown = shared || sent.user_profile?.is_stranger === true ? ELSEWHERE : null;
  const team = sent.user_profile?.is_stranger === true ? ELSEWHERE : (sent.user_team ?? sent.team ?? unknown);
  return { kind: "message", channel, words: sent, edited, isMedia, actor: { user, team, name: user } };
}

/** A team id that nobody has. */
const ELSEWHERE = "?";
