/** Commands from chats without a reported end. They are durable, so that a hub that was killed still reports it. */
import type { Identity, SessionId } from "../../model/ids.js";
import { formatDuration } from "../delivery/notices/span.js";
import type { Ledger } from "../ledger/ledger.js";

export interface OpenCommand {
  readonly commandId: string;
  readonly quote: string;
  readonly identity: Identity;
  readonly channel: string;
  readonly place: string;
  readonly lineId: string | null;
  /** Not given to its worker yet. */
  readonly isWaiting?: boolean;
  readonly isDoubtTold?: true;
}

const SCOPE = "console";
/** When the newest command was written, for each channel. */
const NEWEST = "console_newest";
/** A command that was written longer ago is not typed, nor a text that was offered longer ago. It also allows for clocks that differ by minutes. */
export const LATE_COMMAND_MS = 10 * 60_000;

export function listOpenCommands({ store }: Ledger, sessionId: SessionId): readonly OpenCommand[] {
  return (store.settings.getJson(SCOPE, sessionId) ?? []) as OpenCommand[];
}

export function findOpenCommand(ledger: Ledger, sessionId: SessionId, commandId: string): OpenCommand | null {
  return listOpenCommands(ledger, sessionId).find((open) => open.commandId === commandId) ?? null;
}

export function keepOpenCommand(ledger: Ledger, sessionId: SessionId, command: OpenCommand): void {
  store(ledger, sessionId, [...listOthers(ledger, sessionId, command.commandId), command]);
}

export function dropOpenCommand(ledger: Ledger, sessionId: SessionId, commandId: string): void {
  store(ledger, sessionId, listOthers(ledger, sessionId, commandId));
}

/**
 * Why a command came too late to be typed: its program is no longer where its sender saw it. Null: it came in time, and is the newest one
 * of its channel from now on.
 */
export function admitBySentAt(
  { store: { settings } }: Ledger,
  now: number,
  {
    sessionId,
    channel,
    sentAt,
  }: { readonly sessionId: SessionId; readonly channel: string; readonly sentAt: number },
): string | null {
  const newest = (settings.getJson(NEWEST, sessionId) ?? {}) as Readonly<Record<string, number>>;
  if (sentAt < (newest[channel] ?? 0)) return "it came late, after a newer one";
  if (now - sentAt > LATE_COMMAND_MS) return `it was written ${formatDuration(now - sentAt)} ago`;
  settings.set(NEWEST, sessionId, JSON.stringify({ ...newest, [channel]: sentAt }));
  return null;
}

/** Call when the session has ended. */
export function forgetNewest({ store }: Ledger, sessionId: SessionId): void {
  store.settings.remove(NEWEST, sessionId);
}

function listOthers(ledger: Ledger, sessionId: SessionId, commandId: string): OpenCommand[] {
  return listOpenCommands(ledger, sessionId).filter((open) => open.commandId !== commandId);
}

function store(
  { store: { settings } }: Ledger,
  sessionId: SessionId,
  commands: readonly OpenCommand[],
): void {
  if (commands.length === 0) settings.remove(SCOPE, sessionId);
  else settings.set(SCOPE, sessionId, JSON.stringify(commands));
}
