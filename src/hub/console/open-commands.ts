/** Commands from chats without a reported end. They are durable, so that a hub that was killed still reports it. */
import type { Identity, SessionId } from "../../model/ids.js";
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
