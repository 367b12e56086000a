/** Formats prompts, sessions and the hub as text. Pure. All texts of tools were sanitized before. */
import type { HubOverview } from "../client/manage-hub.js";
import type { ShownSession } from "../client/ask-hub.js";
import type { InspectedSession } from "../client/seen-sessions.js";
import type { LeftSession } from "../config/hub-notes.js";
import { describeCut } from "../model/cut-words.js";
import { describeHidden } from "../model/hidden.js";
import { describeToolState } from "../model/last-words.js";
import { describeUnansweredPrompts } from "../model/no-open-prompts.js";
import type { HubStatus, ListedPrompt } from "../wire/listings.js";

const INDENT = "    ";

/** A prompt with everything needed to answer it: whole content, every choice, and how to answer. */
export function formatPrompt(prompt: ListedPrompt, now: number): string[] {
  const { shortId, tool, safetyClass, confidence, excerpt, content } = prompt;
  const facts = [tool, safetyClass, `confidence ${confidence}`, ...formatState(prompt, now)];
  return [
    `${shortId.padEnd(INDENT.length - 1)} ${facts.join(" · ")}`,
    ...indentLines(excerpt),
    ...(content.text === excerpt || content.text === "" ? [] : indentLines(content.text)),
    ...(content.cut ? indentLines(`✂ ${describeCut(content.cut)}`) : []),
    ...(content.hidden ? indentLines(`✂ ${describeHidden(content.hidden)}`) : []),
    ...formatChoices(prompt).flatMap(indentLines),
  ];
}

/** `expires in 28 min, then answered: No (not while paused)`. */
export function formatExpiry(
  { expiresAt, expiryAnswer }: Pick<ListedPrompt, "expiresAt" | "expiryAnswer">,
  now: number,
): string[] {
  if (expiresAt === null) return [];
  const then = expiryAnswer === undefined ? "" : `, then answered: ${expiryAnswer} (not while paused)`;
  return [`expires in ${formatDurationSince(Date.parse(expiresAt) - now)}${then}`];
}

function formatState(prompt: ListedPrompt, now: number): string[] {
  const { state, createdAt } = prompt;
  const age = `${formatDurationSince(now - Date.parse(createdAt))} ago`;
  if (state !== "pending") return [state, age];
  return [age, ...formatExpiry(prompt, now)];
}

/** `2  No, and tell it why` with a mark at the default; for other prompts, what may be answered. */
export function formatChoices({ type, choices, defaultChoice }: ListedPrompt): string[] {
  if (choices.length > 0)
    return choices.map(
      ({ index, letter, label }) => `${index === defaultChoice ? "❯" : " "} ${letter ?? index}  ${label}`,
    );
  return [EXPECTED[type]];
}

const EXPECTED: Readonly<Record<ListedPrompt["type"], string>> = {
  yes_no: "answer: y or n",
  confirm_enter: "answer: enter",
  multiple_choice: "answer: a number",
  free_text: "answer: a text",
  secret: "answered only at the terminal",
  unknown: "answer: enter, esc, or text:… (not for passwords)",
};

export function formatSessionLine(session: InspectedSession, now: number): string {
  const { sessionId, tool, label, cwd, pid, openPrompts, connected, startedAt, endedAt, ending } = session;
  const facts = [
    `${sessionId.slice(0, 8)}  ${tool}${label === null ? "" : ` (${label})`}`,
    endedAt === null
      ? describeState(session)
      : `${ending === "lost" ? "lost" : "ended"} ${formatDurationSince(now - Date.parse(endedAt))} ago`,
    ...(openPrompts > 0 ? [`${openPrompts} open`] : []),
    ...(connected || endedAt !== null ? [] : ["not connected"]),
    `process ${pid}`,
    `for ${formatDurationSince((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt))}`,
    cwd,
  ];
  return facts.join(" · ");
}

const SNAPSHOT_WORDS: Readonly<Record<ShownSession["snapshot"]["state"], string>> = {
  running: "running",
  awaiting_response: "waits for an answer",
  injecting: "an answer is being typed",
  done: "has ended",
};

/** A session with the state that its own worker reports. */
export function formatSession(session: ShownSession, now: number): string[] {
  const { state, pid, ptyAlive, waitsForInput, promptCount, lastOutputAgoSeconds } = session.snapshot;
  const reads = waitsForInput && state === "running" ? ", and waits for input" : "";
  return [
    formatSessionLine(session, now),
    `${INDENT}tool: ${SNAPSHOT_WORDS[state]}${reads}${pid === null ? "" : `, process ${pid}`}${ptyAlive ? "" : " (not alive)"}`,
    `${INDENT}last output ${formatDurationSince(lastOutputAgoSeconds * 1000)} ago, ${promptCount} ${promptCount === 1 ? "prompt" : "prompts"} so far`,
  ];
}

/** While its process is stopped, its last known state is outdated. */
function describeState({ stopped, state, said, pid }: InspectedSession): string {
  return stopped ? describeStopped(pid) : describeToolState(state, said);
}

function describeStopped(pid: number): string {
  return `stopped: \`fg\` at its terminal or \`kill -CONT ${pid}\` continues it`;
}

/** For a person who waits for an answer that does not reach its tool. */
export function describeUntakenAnswer(
  shortId: string,
  { tool, pid, connected, stopped }: InspectedSession,
): string {
  const who = `${shortId}: the session of ${tool} (process ${pid}) has not picked the answer up yet`;
  const why = stopped
    ? `It is ${describeStopped(pid)}.`
    : connected
      ? "It does not respond."
      : "It is not connected.";
  return `${who}. ${why} Still waiting.`;
}

/** Hub, channels and sessions; without a hub, what is known about the last one. */
export function formatOverview({ hub, sessions, stopped, problem }: HubOverview, now: number): string[] {
  if (hub) return [...formatHub(hub, now), ...sessions.map((session) => formatSessionLine(session, now))];
  const cannot = problem && `None can be started: ${problem} (see \`atlasbridge doctor\`)`;
  if (!stopped)
    return ["No hub is running.", cannot ?? "The next `atlasbridge run` starts one."].join(" ").split("\n");
  const ago = `No hub is running: it was stopped ${formatDurationSince(now - stopped.at)} ago.`;
  const left = stopped.sessions.map(formatLeftSession);
  const next = left.length === 0 ? "The next `atlasbridge run` starts one." : describeUnrelayed(left.length);
  return [...`${ago} ${cannot ?? next}`.split("\n"), ...left];
}

/** Describes the sessions whose hub was stopped. */
export function describeUnrelayed(sessions: number): string {
  const go = sessions === 1 ? "1 session keeps running" : `${sessions} sessions keep running`;
  return `${go} without being relayed; \`atlasbridge hub start\` relays ${sessions === 1 ? "it" : "them"} again.`;
}

function formatLeftSession({ sessionId, tool, label, pid }: LeftSession): string {
  return `${sessionId.slice(0, 8)}  ${tool}${label === null ? "" : ` (${label})`} · not relayed · process ${pid}`;
}

const MEGABYTE = 1024 * 1024;
const FULL = "new prompts show only in their terminals";

export function formatHub(hub: HubStatus, now: number): string[] {
  const facts = [
    `process ${hub.pid}`,
    `version ${hub.version}`,
    `up ${formatDurationSince(now - Date.parse(hub.startedAt))}`,
    formatCount(hub.sessions, "session"),
    `${formatCount(hub.openPrompts, "prompt")} open`,
    ...(hub.paused ? ["PAUSED: no answers are accepted"] : []),
    ...(hub.disk.full ? [`DISK LIMIT of ${Math.round(hub.disk.limitBytes / MEGABYTE)} MB: ${FULL}`] : []),
  ];
  const unreached =
    hub.unreached === null ? [] : [`⚠ prompts reach nobody away from this machine: ${hub.unreached}`];
  const lines = hub.channels.flatMap((channel) => [
    formatChannel(channel, now),
    ...channel.refused.map(
      ({ place, reason }) => `${INDENT}⚠ messages do not arrive in chat ${place}: ${reason}`,
    ),
  ]);
  const ended = hub.unanswered.length === 0 ? [] : [`⚠ ${describeUnansweredPrompts(hub.unanswered)}`];
  return [`hub · ${facts.join(" · ")}`, ...lines, ...unreached, ...ended];
}

function formatChannel(
  { id, state, reason, action, since, approvers }: HubStatus["channels"][number],
  now: number,
): string {
  const trouble = [reason, action].filter((text) => text !== null).join(" → ");
  const age = since === null ? "" : ` for ${formatDurationSince(now - Date.parse(since))}`;
  const who = approvers.length === 0 ? "nobody may answer there" : `${approvers.join(", ")} may answer`;
  return `${id} · ${state}${age}${trouble && `: ${trouble}`} · ${who}`;
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function indentLines(text: string): string[] {
  return text.split("\n").map((line) => `${INDENT}${line}`.trimEnd());
}

const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1_000 },
] as const;

/** In the largest unit that gives at least one: `28 min`. */
export function formatDurationSince(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms) ?? UNITS[3];
  return `${Math.max(0, Math.floor(ms / unit.ms))} ${unit.name}`;
}
