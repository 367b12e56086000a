/** Who we are in Slack: asked once, and needed before anything that comes in can be judged. */
import * as v from "valibot";
import type { SlackApi } from "./api.js";
import { hollowReply } from "./failure.js";

const reply = v.object({
  team: v.optional(v.string(), ""),
  team_id: v.string(),
  user: v.optional(v.string(), ""),
  user_id: v.string(),
  response_metadata: v.optional(v.object({ scopes: v.optional(v.array(v.string())) })),
});

export interface Who {
  readonly team: string;
  readonly teamName: string;
  readonly botUser: string;
  readonly botName: string;
  /** What the bot token may do, or null where the service did not say. */
  readonly scopes: readonly string[] | null;
}

/** Errors: CallError. */
export async function askWho(api: SlackApi): Promise<Who> {
  const parsed = v.safeParse(reply, await api.call("auth.test", {}));
  if (!parsed.success) throw hollowReply("auth.test");
  const { team, team_id, user, user_id, response_metadata: meta } = parsed.output;
  return { team: team_id, teamName: team, botUser: user_id, botName: user, scopes: meta?.scopes ?? null };
}
