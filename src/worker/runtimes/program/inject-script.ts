import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import type { ProgramPort } from "./program-port.js";
import { readSettlingLimits, OutputSettling } from "./output-settling.js";

interface InjectionPlace {
  readonly port: ProgramPort;
  readonly clock: Clock;
}

export async function injectScript(
  program: ProgramFile,
  line: string,
  { port, clock }: InjectionPlace,
): Promise<void> {
  const { ready, input, process } = program;
  await settle(program, { port, clock });
  port.hold();
  port.mute(ready.suppress_mirror_during_inject);
  await port.terminal.write(Buffer.from(line + (input.line_ending ?? process.line_ending)));
  await sleep(clock, ready.delay_after_inject_ms);
  port.mute(false);
  port.release();
}

function settle(program: ProgramFile, { port, clock }: InjectionPlace): Promise<void> {
  const limits = readSettlingLimits(program);
  const stableMs = Math.max(program.ready.settle_before_inject_ms, limits.stableMs);
  return new Promise((resolve) => {
    const settling = new OutputSettling(
      clock,
      { ...limits, stableMs },
      resolve,
      () => port.findReaders().blocked,
    );
    port.onData(() => settling.note());
  });
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(ms, resolve));
}
