/** The `channels.ntfy` part of the configuration. Every command reads it, so it imports nothing heavy. */
import * as v from "valibot";
import { AtlasBridgeError, type ForeignEndpoint } from "../../../../src/sdk/channel.js";

const DEFAULT_SERVER = "https://ntfy.sh";

const words = v.pipe(v.string(), v.minLength(1));
const personName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,31}$/, "expected a short name such as ara"),
);

/** Strings may still be `${ENV}` references here: their form is checked by `readSettings`. */
export const ntfySchema = v.strictObject({
  server: v.optional(words, DEFAULT_SERVER),
  /** May publish to `topic` and read `reply_topic`. Stays on this machine. */
  token: v.optional(words),
  topic: words,
  reply_topic: words,
  /** May only publish to `reply_topic`. Travels to the phone inside every button. */
  reply_token: v.optional(words),
  /** Who reads `topic`, in one word. The service knows nobody: this name is all that stands behind `ntfy:NAME`. */
  deliver_to: v.optional(v.pipe(v.array(personName), v.maxLength(1, "two topics belong to one person")), []),
});

export type NtfyConfig = v.InferOutput<typeof ntfySchema>;

/** What the service takes for the name of a topic. */
const TOPIC = /^[\w-]{1,64}$/;
/** Where no account protects a topic, its name is its password. */
const SECRET_NAME_MIN = 20;

export interface NtfySettings extends NtfyConfig {
  readonly server: string;
}

/** Errors: AtlasBridgeError ATB_CONFIG_INVALID. Says no value: each of them may be a secret. */
export function readSettings(config: NtfyConfig): NtfySettings {
  const server = originOf(config.server);
  if (server === null)
    throw invalid("server", "is no http(s) address without a path", "Leave it out to use ntfy.sh.");
  for (const key of ["topic", "reply_topic"] as const) {
    if (!TOPIC.test(config[key]))
      throw invalid(key, "is no topic", "Use letters, digits, `_` and `-`, at most 64.");
    if (config.token === undefined && config[key].length < SECRET_NAME_MIN)
      throw invalid(
        key,
        "can be guessed",
        `Without a token it needs ${SECRET_NAME_MIN} random characters or more.`,
      );
  }
  if (config.topic === config.reply_topic)
    throw invalid("reply_topic", "is the same as `topic`", "Answers need a topic of their own.");
  return { ...config, server };
}

function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin, href } = new URL(address);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : null;
}

function invalid(key: string, what: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", `channels.ntfy.${key} ${what}`, { hint });
}

/** Null where everything goes to ntfy.sh, or nowhere. The names of the topics are secrets too. */
export function foreignNtfy({
  server,
  token,
  reply_token,
  topic,
  reply_topic,
}: NtfyConfig): ForeignEndpoint | null {
  const address = originOf(server);
  if (address === null || address === DEFAULT_SERVER) return null;
  return { address, secrets: [topic, reply_topic, token ?? "", reply_token ?? ""] };
}
