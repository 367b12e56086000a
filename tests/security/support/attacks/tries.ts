/** What the attack programs wrote down of their tries. */
import { existsSync, readFileSync } from "node:fs";

export interface Try {
  readonly name: string;
  readonly pid?: number;
  readonly approved: boolean;
  /** It waited in vain for what decides it: this proves nothing. */
  readonly hung?: boolean;
  /** The code with which the ledger rejected its answer. */
  readonly rejection?: string;
  readonly said: string;
  readonly line?: string;
}

/** The last line may be in the making. */
export function triesIn(log: string): Try[] {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Try);
}
