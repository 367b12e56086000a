import type { SetupDialog, SetupStep } from "../../client/setup/setup.js";
import { isAttended } from "../../client/setup/test-prompt.js";
import { parseDuration } from "../../config/schema.js";
import { ask } from "./ask.js";
import { createPairingDialog, printTo } from "./pairing-dialog.js";
import { describeProgress, describeStep, describeTestAhead, PRESENCE_INTRO } from "./setup-words.js";

export interface SetupDialogOptions {
  readonly channel: string;
  readonly tokenFiles: readonly string[];
  readonly accept: string | null;
  readonly json: boolean;
}

/** Long enough to answer at the keyboard, and short enough for a person who has just left. */
const DEFAULT_HOLD = "30s";

export function createSetupDialog({ channel, tokenFiles, accept, json }: SetupDialogOptions): SetupDialog {
  const output = json ? process.stderr : process.stdout;
  const print = (line: string): void => printTo(output, line);
  const pairing = createPairingDialog({ tokenFiles, accept, output });
  return {
    ...pairing,
    begin: (step: SetupStep) => describeStep(step, channel).forEach(print),
    report: (progress) => describeProgress(progress).forEach(print),
    async askPresence() {
      if (!process.stdin.isTTY) return DEFAULT_HOLD;
      PRESENCE_INTRO.forEach(print);
      for (;;) {
        const typed = await ask(`How long? [${DEFAULT_HOLD}] `, { output, hidden: false });
        if (typed === "") return DEFAULT_HOLD;
        if (parseDuration(typed) !== null) return typed;
        print("Write a number and a unit: 30s, 2m, or 0s.");
      }
    },
    beforeTest: () => describeTestAhead(isAttended()).forEach(print),
    // The question's terminal is in raw mode.
    warnUnreached(problem) {
      process.stderr.write(`\r\n⚠ The question does not reach your phone: ${problem}\r\n`);
    },
  };
}
