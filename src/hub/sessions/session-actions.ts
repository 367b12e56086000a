/** Shows a session's screen, or stops its tool, after the commit that recorded the request. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { PromptId, SessionId } from "../../model/ids.js";
import { INTERRUPT_PROBLEM } from "../../model/interrupt-problem.js";
import type { ScreenCells } from "../../sdk/view.js";
import { joinBlock } from "../delivery/notices/text-block.js";
import { isRelayPaused } from "../store/relay-pause.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { Ledger } from "../ledger/ledger.js";
import type { SessionAction } from "../ledger/domain-event.js";
import type { SessionLinks } from "../ledger/session-links.js";

/** Never rejects. If the hub is killed meanwhile, the request is lost, and the person repeats it. */
export async function runSessionAction(parts: SessionLinks, request: SessionAction): Promise<void> {
  const { ledger } = parts;
  const session = ledger.store.sessions.find(request.sessionId);
  if (!session) return;
  const name = ledger.options.safeText(session.label ?? session.tool);
  const text = await performAction(parts, request, session, name).catch((error: unknown) => {
    ledger.options.log("warn", "a session action failed", { action: request.action, error: String(error) });
    return request.action === "picture" ? null : `⚠️ Cannot reach ${name}: ${describeFailure(error)}`;
  });
  if (text === null || !ledger.store.isOpen) return;
  ledger.commit((tx) => enqueueAtPlace(ledger, tx, request, text));
}

async function performAction(
  parts: SessionLinks,
  request: SessionAction,
  { sessionId }: SessionRow,
  name: string,
): Promise<string | null> {
  const { ledger, findLink } = parts;
  const { action } = request;
  const { safeText } = ledger.options;
  const link = findLink(sessionId);
  if (!link) return `⚠️ ${name} is not connected to the hub.`;
  if (action === "stop") {
    const { after = [] } = request;
    const answered = after.length === 0 ? [] : [`⛔ ${name}: ${await awaitAnswers(ledger, after)}`];
    const problem = await interrupt(ledger, link, after.length === 0 ? 0 : STARTS_WITHIN_MS);
    if (problem !== null)
      return [
        ...answered,
        problem === INTERRUPT_PROBLEM.idle
          ? `${name} is idle; nothing to stop.`
          : `⚠️ ${name} was not stopped: ${safeText(problem)}.`,
        ...describeHeldBack(ledger, sessionId, name),
      ].join("\n");
    const stopped = (await awaitStop(ledger, sessionId))
      ? `⏹ ${name}: interrupted.`
      : `⚠️ ${name}: stop was sent, but the tool still works.`;
    return [...answered, stopped].join("\n");
  }
  const { text, problem, cells } = await link.call("session.screen", {});
  const picture = text === null || text === "" ? null : await paintPicture(parts, request, cells ?? null);
  if (action === "picture" && picture === null) return null;
  if (text === null)
    return `⚠️ Cannot show the screen of ${name}: ${safeText(problem ?? "no reason given")}.`;
  if (text === "") return `🖥 ${name}: the screen is empty.`;
  const caption = hasOwnAnswers(ledger, sessionId) ? `🖥 ${name}\n${NUMBERS_OF_THE_SCREEN}` : `🖥 ${name}`;
  return joinBlock(caption, safeText(text), picture);
}

/** The tool's next prompt has no card on which it could be answered. */
function describeHeldBack({ store }: Ledger, sessionId: SessionId, name: string): string[] {
  const isAsking = store.prompts.listOpenInSession(sessionId).some(({ state }) => state === "pending");
  return isAsking && isRelayPaused(store, sessionId)
    ? [`What it asks is held back here. Write: deny all ${name}, or: resume ${name}`]
    : [];
}

/** After a no, a tool needs a moment until it is seen to work on. */
const STARTS_WITHIN_MS = 3_000;

/** Returns why the tool was not interrupted, or null. What refuses at first is asked again for so long. */
async function interrupt(
  { store, options }: Ledger,
  link: WorkerLink,
  withinMs: number,
): Promise<string | null> {
  const { clock } = options;
  const end = clock.monotonic() + withinMs;
  for (;;) {
    const { problem } = await link.call("session.interrupt", {});
    if (problem === null || !store.isOpen || clock.monotonic() >= end) return problem;
    await new Promise<void>((resolve) => void clock.after(CHECK_EVERY_MS, resolve));
  }
}

/** An answer is typed and proved within seconds; a tool that takes none of many is not waited for. */
const ANSWERED_WITHIN_MS = 15_000;
const NAMED_MAX = 8;

/** Waits for the ends of answers that were accepted, and says how many were given. */
async function awaitAnswers({ store, options }: Ledger, promptIds: readonly PromptId[]): Promise<string> {
  const { clock } = options;
  const end = clock.monotonic() + ANSWERED_WITHIN_MS;
  for (;;) {
    const prompts = store.isOpen ? promptIds.map((promptId) => store.prompts.find(promptId)) : [];
    const isUnderWay = prompts.some((prompt) => prompt !== null && UNDER_WAY.includes(prompt.state));
    if (isUnderWay && clock.monotonic() < end) {
      await new Promise<void>((resolve) => void clock.after(CHECK_EVERY_MS, resolve));
      continue;
    }
    const others = prompts.flatMap((prompt) =>
      prompt === null || prompt.state === "answered" ? [] : [`${prompt.shortId} (${prompt.state})`],
    );
    const given = `no was given to ${promptIds.length - others.length} of ${promptIds.length}`;
    const more = others.length > NAMED_MAX ? [`… and ${others.length - NAMED_MAX} more`] : [];
    const named = [...others.slice(0, NAMED_MAX), ...more].join(", ");
    return others.length === 0 ? `${given}.` : `${given}; not proved for ${named}.`;
  }
}

const UNDER_WAY: readonly string[] = ["answering", "injecting"];

/** How long a tool may take to stop. */
const STOPS_WITHIN_MS = 5_000;
const CHECK_EVERY_MS = 100;

/** The known state of a tool may be older than the key, and between two frames of its work there can be an idle one. */
const RESTS_MS = 500;

/** Whether the session ended soon after, or became idle and stayed so for a while. */
async function awaitStop({ store, options }: Ledger, sessionId: SessionId): Promise<boolean> {
  const { clock } = options;
  const end = clock.monotonic() + STOPS_WITHIN_MS;
  let idleSince: number | null = null;
  for (;;) {
    const session = store.isOpen ? store.sessions.find(sessionId) : null;
    const now = clock.monotonic();
    if (session?.closedAt != null) return true;
    if (session === null || now >= end) return false;
    idleSince = session.toolState === "idle" ? (idleSince ?? now) : null;
    if (idleSince !== null && now - idleSince >= RESTS_MS) return true;
    await new Promise<void>((resolve) => void clock.after(CHECK_EVERY_MS, resolve));
  }
}

const NUMBERS_OF_THE_SCREEN =
  "🔤 The numbers here are rows of the dialog on the screen. On the card, answer with a letter.";

function hasOwnAnswers(ledger: Ledger, sessionId: string): boolean {
  return ledger.store.prompts
    .listOpenInSession(sessionId)
    .some(({ event }) => event.constraints.lettered === true);
}

async function paintPicture(
  { ledger: { options }, paintScreen }: SessionLinks,
  { channel }: SessionAction,
  cells: ScreenCells | null,
): Promise<Uint8Array | null> {
  const configuredChannel = options.configuredChannels().find(({ id }) => id === channel);
  if (!cells || !paintScreen || configuredChannel?.capabilities.files !== true) return null;
  return paintScreen(cells).catch((error: unknown) => {
    options.log("warn", "a screen could not be drawn", { error: String(error) });
    return null;
  });
}

function describeFailure(error: unknown): string {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST"
    ? "no response in time."
    : "its AtlasBridge may be older than the hub.";
}
