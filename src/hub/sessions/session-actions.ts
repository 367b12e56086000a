/**
 * Actions on a running session other than answers: showing its screen, or stopping it. They run after the commit that recorded
 * the request.
 */
import { AtlasBridgeError } from "../../model/errors.js";
import type { SessionId } from "../../model/ids.js";
import type { ScreenCells } from "../../sdk/view.js";
import { joinBlock } from "../delivery/notices/text-block.js";
import type { SessionRow } from "../store/tables/sessions.js";
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
  const { ledger, linkOf } = parts;
  const { action } = request;
  const { safeText } = ledger.options;
  const link = linkOf(sessionId);
  if (!link) return `⚠️ ${name} is not connected to the hub.`;
  if (action === "stop") {
    const { problem } = await link.call("session.interrupt", {});
    if (problem !== null) return `⚠️ ${name} was not stopped: ${safeText(problem)}.`;
    return (await awaitStop(ledger, sessionId))
      ? `⏹ ${name}: interrupted.`
      : `⚠️ ${name}: stop was sent, but the tool still works.`;
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

/** How long a tool may take to stop. */
const STOPS_WITHIN_MS = 5_000;
const CHECK_EVERY_MS = 100;

/** Whether the session became idle or ended soon after. */
async function awaitStop({ store, options }: Ledger, sessionId: SessionId): Promise<boolean> {
  const { clock } = options;
  const end = clock.monotonic() + STOPS_WITHIN_MS;
  for (;;) {
    const session = store.isOpen ? store.sessions.find(sessionId) : null;
    if (session === null || clock.monotonic() >= end) return false;
    if (session.closedAt !== null || session.toolState === "idle") return true;
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

/** Null if the place accepts no files or nothing can be drawn: people then get text. */
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
