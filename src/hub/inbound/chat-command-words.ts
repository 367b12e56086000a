/** Tells the commands of a chat from other text. */
import { CHAT_COMMANDS } from "../../sdk/inbound.js";

/** `help` names these within the lines of other commands, or only where they apply. */
const FURTHER_WORDS: readonly string[] = ["start", "revoke", "delegations", "undelegate", "mode", "hold"];
/** For a program with a console. */
const CONSOLE_WORDS: readonly string[] = ["interrupt", "eof", "suspend"];
/** What follows `answer` is an answer, which may be a password. */
const WORDS: ReadonlySet<string> = new Set([
  ...CHAT_COMMANDS.map(({ word }) => word).filter((word) => word !== "answer"),
  ...FURTHER_WORDS,
  ...CONSOLE_WORDS,
]);

/** By its first word; `$` begins a command for a console. */
export function isChatCommand(written: string): boolean {
  const text = written.trim();
  const [, word = ""] = /^\/?([a-z]{1,20})(?:@\w{1,64}|[_-]all)?(?:\s|$)/i.exec(text) ?? [];
  return WORDS.has(word.toLowerCase()) || /^\$ ?\S/.test(text);
}
