/** The app's home tab: open prompts and running sessions, for known people. Pure. */
import type { types } from "@slack/bolt";
import { formatRemainingTime } from "../../../src/sdk/card-words.js";
import type { Overview } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { renderPlace } from "../cards/card.js";
import { HOME_ITEMS_MAX, NAME_MAX, QUESTION_MAX } from "../limits.js";
import {
  toPlainSpan,
  buildPlainText,
  buildRichText,
  buildSection,
  type SlackBlock,
  type RichPart,
} from "../cards/rich.js";

export function renderHome(overview: Overview | null, now: number): types.HomeView {
  return { type: "home", blocks: overview === null ? renderForStranger() : renderOverview(overview, now) };
}

function renderForStranger(): SlackBlock[] {
  const text =
    "You are not listed in this AtlasBridge's configuration. Run `atlasbridge channel add slack` to pair yourself.";
  return buildRichText([buildSection([toPlainSpan(text)])]);
}

function renderOverview({ paused, prompts, ifNone, sessions }: Overview, now: number): SlackBlock[] {
  return [
    ...(paused ? buildRichText([buildSection([{ text: PAUSED, as: "bold" }])]) : []),
    buildHeader("Open prompts"),
    ...renderList(prompts, ifNone, (prompt) => renderPrompt(prompt, now)),
    buildHeader("Sessions"),
    ...renderList(sessions, "No sessions are running.", renderSession),
    ...buildRichText([buildSection([{ text: formatInstantNote(now), as: "italic" }])]),
  ];
}

/** A page is not updated when the hub stops or the service is unreachable, so it shows its time. */
function formatInstantNote(now: number): string {
  const instant = new Date(now).toISOString();
  return `As it was on ${instant.slice(0, 10)} at ${instant.slice(11, 19)} UTC.`;
}

const PAUSED = "⏸ Paused: no answers are accepted until /atlasbridge resume.";

function buildHeader(text: string): SlackBlock {
  return { type: "header", text: buildPlainText(text) };
}

function renderList<T>(
  items: readonly T[],
  nothing: string,
  part: (item: T) => RichPart | null,
): SlackBlock[] {
  if (items.length === 0) return buildRichText([buildSection([toPlainSpan(nothing)])]);
  const more = items.length - HOME_ITEMS_MAX;
  return buildRichText([
    ...items.slice(0, HOME_ITEMS_MAX).map(part),
    more > 0 ? buildSection([{ text: `… and ${more} more`, as: "italic" }]) : null,
  ]);
}

function renderPrompt(
  { shortId, session, question, askedAt }: Overview["prompts"][number],
  now: number,
): RichPart | null {
  const title = [clip(session.tool, NAME_MAX), renderPlace(session)].filter(Boolean).join(" · ");
  return buildSection([
    { text: shortId, as: "code" },
    { text: ` ${title}`, as: "bold" },
    toPlainSpan(` · for ${formatRemainingTime(now - askedAt)}\n${clip(question, QUESTION_MAX)}\n`),
  ]);
}

function renderSession({ session, state, openPrompts }: Overview["sessions"][number]): RichPart | null {
  const waiting =
    openPrompts === 0 ? "" : ` · ${openPrompts} open ${openPrompts === 1 ? "prompt" : "prompts"}`;
  const place = renderPlace(session);
  return buildSection([
    { text: clip(session.tool, NAME_MAX), as: "bold" },
    toPlainSpan(`${place === "" ? "" : ` · ${place}`} · ${state}${waiting}`),
  ]);
}
