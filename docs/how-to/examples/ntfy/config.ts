/** The `channels.ntfy` part of the configuration. Every command reads it, so it imports nothing heavy. */
import * as v from "valibot";
import { AtlasBridgeError, type ForeignEndpoint } from "atlasbridge/sdk";

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
  token: words,
  topic: words,
  reply_topic: words,
  /** May only publish to `reply_topic`. Travels to the phone inside every button. */
  reply_token: words,
  /** Who reads `topic`, in one word. The service knows nobody: this name is all that stands behind `ntfy:NAME`. */
  deliver_to: v.optional(v.pipe(v.array(personName), v.maxLength(1, "two topics belong to one person")), []),
});

export type NtfyConfig = v.InferOutput<typeof ntfySchema>;

/** What the service takes for the name of a topic. */
const TOPIC = /^[\w-]{1,64}$/;

/** With the server as an origin. Errors: ATB_CONFIG_INVALID, without a value: each of them may be a secret. */
export function readSettings(config: NtfyConfig): NtfyConfig {
  const server = parseOrigin(config.server);
  if (server === null) throw createConfigError("server", "is no http(s) address without a path");
  for (const key of ["topic", "reply_topic"] as const)
    if (!TOPIC.test(config[key]))
      throw createConfigError(key, "is no topic: letters, digits, `_` and `-`, at most 64");
  if (config.topic === config.reply_topic) throw createConfigError("reply_topic", "is the same as `topic`");
  return { ...config, server };
}

function parseOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin, href } = new URL(address);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : null;
}

function createConfigError(key: string, problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", `channels.ntfy.${key} ${problem}`, {
    hint: "docs/how-to/examples/ntfy/README.md shows each key.",
  });
}

/** Null where everything goes to ntfy.sh, or nowhere. The names of the topics are secrets too. */
export function findForeignNtfy(config: NtfyConfig): ForeignEndpoint | null {
  const address = parseOrigin(config.server);
  if (address === null || address === DEFAULT_SERVER) return null;
  return { address, secrets: [config.topic, config.reply_topic, config.token, config.reply_token] };
}
