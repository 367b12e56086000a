/** What people ask of a running session besides answers: its screen, or to stop. Done after the commit that recorded the wish. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { SessionId } from "../../model/ids.js";
import type { ScreenCells } from "../../sdk/view.js";
import { withBlock } from "../delivery/notices/text-block.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { tellPlace } from "../ledger/enqueue-notices.js";
import type { Ledger } from "../ledger/ledger.js";
import type { SessionAction } from "../ledger/domain-event.js";
import type { SessionLinks } from "../ledger/session-links.js";

/** Never rejects. A hub that is killed in between forgets the wish: whoever has it asks again. */
export async function runSessionAction(parts: SessionLinks, errand: SessionAction): Promise<void> {
  const { ledger } = parts;
  const session = ledger.store.sessions.find(errand.sessionId);
  if (!session) return;
  const name = ledger.options.safeText(session.label ?? session.tool);
  const text = await carryOut(parts, errand, session, name).catch((error: unknown) => {
    ledger.options.log("warn", "a session could not be asked", { wish: errand.wish, error: String(error) });
    return errand.wish === "picture" ? null : `⚠️ ${name} could not be asked: ${reasonOf(error)}`;
  });
  if (text === null || !ledger.store.isOpen) return;
  ledger.commit((tx) => tellPlace(ledger, tx, errand, text));
}

async function carryOut(
  parts: SessionLinks,
  errand: SessionAction,
  { sessionId }: SessionRow,
  name: string,
): Promise<string | null> {
  const { ledger, linkOf } = parts;
  const { wish } = errand;
  const { safeText } = ledger.options;
  const link = linkOf(sessionId);
  if (!link) return `⚠️ ${name} is not connected to the hub.`;
  if (wish === "stop") {
    const { problem } = await link.call("session.interrupt", {});
    if (problem !== null) return `⚠️ ${name} was not interrupted: ${safeText(problem)}.`;
    return (await isSeenToStop(ledger, sessionId))
      ? `⏹ ${name}: interrupted.`
      : `⚠️ ${name}: it was told to stop, and was not seen to.`;
  }
  const { text, problem, cells } = await link.call("session.screen", {});
  const picture = text === null || text === "" ? null : await pictureOf(parts, errand, cells ?? null);
  if (wish === "picture" && picture === null) return null;
  if (text === null)
    return `⚠️ The screen of ${name} is not shown: ${safeText(problem ?? "no reason given")}.`;
  if (text === "") return `🖥 ${name}: the screen is empty.`;
  const caption = hasOwnAnswers(ledger, sessionId) ? `🖥 ${name}\n${NUMBERS_OF_THE_SCREEN}` : `🖥 ${name}`;
  return withBlock(caption, safeText(text), picture);
}

/** How long a tool may take to stop. */
const STOPS_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Whether the session rested or ended soon after. */
async function isSeenToStop({ store, options }: Ledger, sessionId: SessionId): Promise<boolean> {
  const { clock } = options;
  const end = clock.monotonic() + STOPS_WITHIN_MS;
  for (;;) {
    const session = store.isOpen ? store.sessions.find(sessionId) : null;
    if (session === null || clock.monotonic() >= end) return false;
    if (session.closedAt !== null || session.toolState === "idle") return true;
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  }
}

const NUMBERS_OF_THE_SCREEN =
  "🔤 Numbers here belong to the dialog on the screen. The answers of the card have letters, and say what they do in their own words.";

function hasOwnAnswers(ledger: Ledger, sessionId: string): boolean {
  return ledger.store.prompts.listOpenOf(sessionId).some(({ event }) => event.constraints.lettered === true);
}

/** Null where the place takes no files, or nothing can be drawn: then people get the text. */
async function pictureOf(
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

function reasonOf(error: unknown): string {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST"
    ? "it did not answer."
    : "its program may be older than the hub.";
}
