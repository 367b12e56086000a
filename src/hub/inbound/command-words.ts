/** Tells a command of a chat from a text that may be a password. */
import { CHAT_COMMANDS } from "../../sdk/inbound.js";

/** `help` names these within the lines of other commands, or only where they apply. */
const FURTHER_WORDS: readonly string[] = ["start", "revoke", "delegations", "undelegate", "mode", "hold"];
/** For a program with a console. */
const CONSOLE_WORDS: readonly string[] = ["interrupt", "eof", "suspend"];
const WORDS: ReadonlySet<string> = new Set([
  ...CHAT_COMMANDS.map(({ word }) => word),
  ...FURTHER_WORDS,
  ...CONSOLE_WORDS,
]);

/** Only of one word: a passphrase may begin with the word of a command. */
export function isCommandWord(text: string): boolean {
  const [, word = ""] = /^\/?([a-z]{1,20})(?:@\w{1,64})?$/i.exec(text.trim()) ?? [];
  return WORDS.has(word.toLowerCase());
}
