/** Formats prompts, sessions and the hub as text. Tools' texts were sanitized before. */
import type { HubOverview } from "../client/manage-hub.js";
import type { ShownSession } from "../client/ask-hub.js";
import { describeTrouble, type InspectedSession, type ObservedSession } from "../client/seen-sessions.js";
import type { LeftSession } from "../config/hub-notes.js";
import { describeCut } from "../model/cut-words.js";
import { describeHidden } from "../model/hidden.js";
import { describeToolState } from "../model/last-words.js";
import { describeUnansweredPrompts } from "../model/no-open-prompts.js";
import { LOCAL_CHANNEL } from "../model/ids.js";
import type { HubStatus, ListedPrompt } from "../wire/listings.js";
import { describeAgo, describeSpan, formatDuration } from "../model/data/age.js";

const INDENT = "    ";

export function formatPrompt(prompt: ListedPrompt, now: number, number?: number): string[] {
  const below = [...formatContent(prompt, number), ...formatChoices(prompt)];
  return [formatPromptLine(prompt, now), ...below.flatMap(indentLines)];
}

export function formatPromptLine(prompt: ListedPrompt, now: number): string {
  const { shortId, tool, safetyClass, confidence } = prompt;
  const facts = [tool, safetyClass, `confidence ${confidence}`, ...formatState(prompt, now)];
  return `${shortId.padEnd(INDENT.length - 1)} ${facts.join(" · ")}`;
}

export function formatContent(prompt: ListedPrompt, number?: number): string[] {
  const { excerpt, content, policyNote, unreached, alike } = prompt;
  return [
    excerpt,
    ...(content.text === excerpt || content.text === "" ? [] : [content.text]),
    ...(content.cut ? [`✂ ${describeCut(content.cut)}`] : []),
    ...(content.hidden ? [`✂ ${describeHidden(content.hidden)}`] : []),
    ...(policyNote === undefined ? [] : [`📜 ${policyNote}`]),
    ...(unreached === undefined
      ? []
      : [`⚠ it reaches nobody away from this machine who may answer: ${unreached}`]),
    ...(number === undefined ? [] : [describeNumber(number)]),
    ...(alike === undefined ? [] : [describeAlike(alike)]),
  ];
}

function describeAlike({ shortIds, value }: NonNullable<ListedPrompt["alike"]>): string {
  return `≡ the same request: ${shortIds.join(", ")}; \`answer ${shortIds.join(",")} ${value}\` answers all of them`;
}

function describeNumber(number: number): string {
  return `🔢 where a number is asked for, a yes needs the number ${number}`;
}

function formatExpiry(
  { expiresAt, expiryAnswer, refusedLate }: Pick<ListedPrompt, "expiresAt" | "expiryAnswer" | "refusedLate">,
  now: number,
): string[] {
  if (expiresAt === null) return [];
  const then = expiryAnswer === undefined ? "" : `, then answered: ${expiryAnswer} (not while paused)`;
  const late = refusedLate === true ? ", then refused" : then;
  return [`expires in ${formatDuration(Date.parse(expiresAt) - now)}${late}`];
}

function formatState(prompt: ListedPrompt, now: number): string[] {
  const { state } = prompt;
  const age = describeAgo(prompt, "createdAt", now);
  if (state !== "pending") return [state, age];
  return [age, ...formatExpiry(prompt, now)];
}

/** One row for each choice (`2  No, and tell it why`), the default marked; without choices, what may be answered. */
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
  secret: "a password or another secret: type it at the tool's own terminal, it is sent nowhere",
  unknown:
    "answer: enter, esc, another key (down, tab, 2; ctrl-c where it is offered), or text:… (not for passwords)",
};

export function formatSessionLine(session: InspectedSession, now: number): string {
  const { sessionId, tool, label, cwd, pid, openPrompts, heldBack, connected, stopped, endedAt, ending } =
    session;
  const facts = [
    `${sessionId.slice(0, 8)}  ${tool}${label === null ? "" : ` (${label})`}`,
    endedAt === null
      ? describeState(session)
      : `${ending === "lost" ? "lost" : "ended"} ${describeAgo({ ...session, endedAt }, "endedAt", now)}`,
    ...(openPrompts > 0 ? [`${openPrompts} open`] : []),
    ...(heldBack
      ? ["PROMPTS HELD BACK: it asked too often (`atlasbridge resume` with its name sends them)"]
      : []),
    ...(connected || endedAt !== null || !stopped ? [] : ["not connected"]),
    `process ${pid}`,
    describeSpan(session, "startedAt", endedAt === null ? now : Date.parse(endedAt)),
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

export function formatSession(session: ShownSession, now: number): string[] {
  const { state, pid, ptyAlive, waitsForInput, promptCount, lastOutputAgoSeconds } = session.snapshot;
  const reads = waitsForInput && state === "running" ? ", and waits for input" : "";
  return [
    formatSessionLine(session, now),
    `${INDENT}tool: ${SNAPSHOT_WORDS[state]}${reads}${pid === null ? "" : `, process ${pid}`}${ptyAlive ? "" : " (not alive)"}`,
    `${INDENT}last output ${formatDuration(lastOutputAgoSeconds * 1000)} ago, ${formatCount(promptCount, "prompt")} so far`,
    ...formatTroubles(session),
  ];
}

export function formatObservedSession(session: ObservedSession, now: number): string[] {
  return [formatSessionLine(session, now), ...formatActivity(session), ...formatTroubles(session)];
}

function formatActivity({ snapshot }: ObservedSession): string[] {
  if (snapshot === null) return [];
  const { promptCount, lastOutputAgoSeconds } = snapshot;
  const asked = `${formatCount(promptCount, "prompt")} so far`;
  return [`${INDENT}${asked}, last output ${formatDuration(lastOutputAgoSeconds * 1000)} ago`];
}

function formatTroubles({ snapshot, connected, stopped }: ObservedSession): string[] {
  // The session's own line already says that it is stopped or not connected.
  if (snapshot === null) return connected && !stopped ? [`${INDENT}⚠ it does not respond`] : [];
  return (snapshot.troubles ?? []).map((trouble) => `${INDENT}⚠ ${describeTrouble(trouble)}`);
}

/** The last state of a stopped or disconnected session is outdated. */
function describeState({ stopped, connected, state, said, pid }: InspectedSession): string {
  if (stopped) return describeStopped(pid);
  return connected || state === "not_relayed" ? describeToolState(state, said) : "not connected";
}

function describeStopped(pid: number): string {
  return `stopped: \`fg\` at its terminal or \`kill -CONT ${pid}\` continues it`;
}

export function describeAnswerNotPickedUp(shortId: string, session: InspectedSession): string {
  return `${describeNotPickedUp(shortId, session)} Still waiting.`;
}

export function describeNotPickedUp(
  shortId: string,
  { tool, pid, connected, stopped }: InspectedSession,
): string {
  const who = `${shortId}: the session of ${tool} (process ${pid}) has not picked the answer up yet`;
  const why = stopped
    ? `It is ${describeStopped(pid)}.`
    : connected
      ? "It does not respond."
      : "It is not connected.";
  return `${who}. ${why}`;
}

export function formatOverview({ hub, sessions, stopped, problem }: HubOverview, now: number): string[] {
  if (hub)
    return [...formatHub(hub, now), ...sessions.flatMap((session) => formatObservedSession(session, now))];
  const cannot = problem && `None can be started: ${problem} (see \`atlasbridge doctor\`)`;
  if (!stopped)
    return ["No hub is running.", cannot ?? "The next `atlasbridge run` starts one."].join(" ").split("\n");
  const at = { at: new Date(stopped.at).toISOString() };
  const ago = `No hub is running: it was stopped ${describeAgo(at, "at", now)}.`;
  const left = stopped.sessions.map(formatLeftSession);
  const next = left.length === 0 ? "The next `atlasbridge run` starts one." : describeUnrelayed(left.length);
  return [...`${ago} ${cannot ?? next}`.split("\n"), ...left];
}

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
    `up ${describeSpan(hub, "startedAt", now)}`,
    formatCount(hub.sessions, "session"),
    `${formatCount(hub.openPrompts, "prompt")} open`,
    ...(hub.paused ? ["PAUSED: no answers are accepted"] : []),
    ...(hub.disk.full ? [`DISK LIMIT of ${Math.round(hub.disk.limitBytes / MEGABYTE)} MB: ${FULL}`] : []),
  ];
  const unreached =
    hub.unreached === null ? [] : [`⚠ prompts reach nobody away from this machine: ${hub.unreached}`];
  const { count = 0, shortIds = [] } = hub.unreachedPrompts ?? {};
  const named = `${shortIds.join(", ")}${count > shortIds.length ? ", …" : ""}`;
  if (count > 0)
    unreached.push(
      `⚠ ${formatCount(count, "open prompt")} (${named}): nobody away from this machine who may answer is reached; \`atlasbridge prompts\` says why`,
    );
  const lines = hub.channels.flatMap((channel) => [
    formatChannel(channel, now),
    ...channel.refused.map(
      ({ place, reason }) => `${INDENT}⚠ messages do not arrive in chat ${place}: ${reason}`,
    ),
  ]);
  const ended = hub.unanswered.length === 0 ? [] : [`⚠ ${describeUnansweredPrompts(hub.unanswered)}`];
  return [`hub · ${facts.join(" · ")}`, ...formatReloadProblem(hub), ...lines, ...unreached, ...ended];
}

function formatReloadProblem({ reloadProblem }: HubStatus): string[] {
  if (reloadProblem === undefined) return [];
  const kept =
    "⚠ the last reload was refused, and what the hub read before still holds (configuration and rules):";
  return [kept, ...indentLines(reloadProblem), `${INDENT}Correct it, then: atlasbridge hub reload`];
}

function formatChannel(
  { id, state, reason, action, since, clockSetSince, approvers }: HubStatus["channels"][number],
  now: number,
): string {
  const trouble = [reason, action].filter((text) => text !== null).join(" → ");
  const age = since === null ? "" : ` ${describeSpan({ since, clockSetSince }, "since", now)}`;
  const who = approvers.length === 0 ? "nobody may answer there" : `${approvers.join(", ")} may answer`;
  return `${id === LOCAL_CHANNEL ? `${id} (commands on this machine)` : id} · ${state}${age}${trouble && `: ${trouble}`} · ${who}`;
}

export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function indentLines(text: string): string[] {
  return text.split("\n").map((line) => `${INDENT}${line}`.trimEnd());
}
