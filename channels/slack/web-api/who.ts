/** The app's own identity in Slack: fetched once, and required before incoming data can be interpreted. */
import * as v from "valibot";
import { makePrintable } from "../../../src/sdk/text.js";
import type { SlackApi } from "./api.js";
import { createInvalidReplyError } from "./failure.js";
import { NAME_MAX } from "../limits.js";

/** As the service forms them; they become part of keys. */
const id = v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,64}$/));
const reply = v.object({
  team: v.optional(v.string(), ""),
  team_id: id,
  user: v.optional(v.string(), ""),
  user_id: id,
  response_metadata: v.optional(v.object({ scopes: v.optional(v.array(v.string())) })),
});

export interface AppIdentity {
  readonly team: string;
  readonly teamName: string;
  readonly botUser: string;
  readonly botName: string;
  /** The bot token's scopes, or null if the service did not report them. */
  readonly scopes: readonly string[] | null;
}

/** Errors: SlackCallError. */
export async function fetchAppIdentity(api: SlackApi): Promise<AppIdentity> {
  const parsed = v.safeParse(reply, await api.call("auth.test", {}));
  if (!parsed.success) throw createInvalidReplyError("auth.test");
  const { team, team_id, user, user_id, response_metadata: meta } = parsed.output;
  const [teamName, botName] = [makePrintable(team, NAME_MAX), makePrintable(user, NAME_MAX)];
  return { team: team_id, teamName, botUser: user_id, botName, scopes: meta?.scopes ?? null };
}
