import type { SetupDialog, SetupStep } from "../../client/setup/setup.js";
import { isAttended } from "../../client/setup/test-prompt.js";
import { createPairingDialog, printTo, type PairingFlags } from "./pairing-dialog.js";
import { describeProgress, describeStep, describeTestAhead } from "./setup-words.js";

export interface SetupDialogOptions extends Omit<PairingFlags, "output"> {
  readonly channel: string;
  readonly json: boolean;
}

export function createSetupDialog({ channel, json, ...flags }: SetupDialogOptions): SetupDialog {
  const output = json ? process.stderr : process.stdout;
  const print = (line: string): void => printTo(output, line);
  const pairing = createPairingDialog({ ...flags, output });
  return {
    ...pairing,
    begin: (step: SetupStep) => describeStep(step, channel).forEach(print),
    report: (progress) => describeProgress(progress).forEach(print),
    beforeTest: () => describeTestAhead(isAttended()).forEach(print),
    // The question's terminal is in raw mode.
    warnUnreached(problem) {
      process.stderr.write(`\r\n⚠ The question does not reach your phone: ${problem}\r\n`);
    },
  };
}
