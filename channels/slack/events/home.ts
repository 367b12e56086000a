/** The app's home tab: open prompts and running sessions, for known people. Pure. */
import type { types } from "@slack/bolt";
import { spanOf } from "../../../src/sdk/card-words.js";
import type { Overview } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { placeOf } from "../cards/card.js";
import { HOME_ITEMS_MAX, NAME_MAX, QUESTION_MAX } from "../limits.js";
import { plainSpan, plainText, richText, section, type SlackBlock, type RichPart } from "../cards/rich.js";

export function homeOf(overview: Overview | null, now: number): types.HomeView {
  return { type: "home", blocks: overview === null ? strangerBlocks() : overviewBlocks(overview, now) };
}

function strangerBlocks(): SlackBlock[] {
  const text =
    "You are not listed in this AtlasBridge's configuration. Run `atlasbridge channel add slack` to pair yourself.";
  return richText([section([plainSpan(text)])]);
}

function overviewBlocks({ paused, prompts, ifNone, sessions }: Overview, now: number): SlackBlock[] {
  return [
    ...(paused ? richText([section([{ text: PAUSED, as: "bold" }])]) : []),
    header("Open prompts"),
    ...listOf(prompts, ifNone, (prompt) => promptPart(prompt, now)),
    header("Sessions"),
    ...listOf(sessions, "No sessions are running.", sessionPart),
    ...richText([section([{ text: asOf(now), as: "italic" }])]),
  ];
}

/** A page is not updated when the hub stops or the service is unreachable, so it shows its time. */
function asOf(now: number): string {
  const instant = new Date(now).toISOString();
  return `As it was on ${instant.slice(0, 10)} at ${instant.slice(11, 19)} UTC.`;
}

const PAUSED = "⏸ Paused: no answers are accepted until /atlasbridge resume.";

function header(text: string): SlackBlock {
  return { type: "header", text: plainText(text) };
}

function listOf<T>(items: readonly T[], nothing: string, part: (item: T) => RichPart | null): SlackBlock[] {
  if (items.length === 0) return richText([section([plainSpan(nothing)])]);
  const more = items.length - HOME_ITEMS_MAX;
  return richText([
    ...items.slice(0, HOME_ITEMS_MAX).map(part),
    more > 0 ? section([{ text: `… and ${more} more`, as: "italic" }]) : null,
  ]);
}

function promptPart(
  { shortId, session, question, askedAt }: Overview["prompts"][number],
  now: number,
): RichPart | null {
  const title = [clip(session.tool, NAME_MAX), placeOf(session)].filter(Boolean).join(" · ");
  return section([
    { text: shortId, as: "code" },
    { text: ` ${title}`, as: "bold" },
    plainSpan(` · for ${spanOf(now - askedAt)}\n${clip(question, QUESTION_MAX)}\n`),
  ]);
}

function sessionPart({ session, state, openPrompts }: Overview["sessions"][number]): RichPart | null {
  const waiting =
    openPrompts === 0 ? "" : ` · ${openPrompts} open ${openPrompts === 1 ? "prompt" : "prompts"}`;
  const place = placeOf(session);
  return section([
    { text: clip(session.tool, NAME_MAX), as: "bold" },
    plainSpan(`${place === "" ? "" : ` · ${place}`} · ${state}${waiting}`),
  ]);
}
