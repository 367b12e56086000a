import { IdleOutput } from "./output/idle-output.js";
import type { CommandRun } from "./output/command-run.js";
import { Changes } from "./changes.js";
import { LineTyper } from "./line-typer.js";
import { PartialLine } from "./prompt/partial-line.js";
import { ChangedPrompt } from "./prompt/changed-prompt.js";
import { HiddenKeyWatch } from "./prompt/hidden-key-watch.js";
import { MarkParser } from "./prompt/mark-parser.js";
import { ModeDetector } from "./prompt/mode-detector.js";
import { PromptGate } from "./prompt/prompt-gate.js";
import { PromptWatch, type Phase } from "./prompt/prompt-watch.js";
import { ReportedState } from "./prompt/reported-state.js";
import { TerminalOwner } from "./prompt/terminal-owner.js";
import { Readiness } from "./readiness.js";
import type { ProgramLaunch } from "./launch.js";
import type { ProgramPort } from "./program-port.js";
import type { Clock } from "../../../model/clock.js";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";

export interface ProgramSessionOptions {
  readonly read: ReadProgram;
  readonly launch: Pick<ProgramLaunch, "nonce" | "injection" | "secretFile">;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly createGuid: () => string;
  readonly folder: string;
}

export type ProgramParts = ReturnType<typeof createParts>;

export function createParts(
  { read, launch, port, clock }: ProgramSessionOptions,
  {
    onPhase,
    onTyping,
  }: { readonly onPhase: (phase: Phase) => void; readonly onTyping: (run: CommandRun) => void },
) {
  const { program } = read;
  const isMarked = program.prompt.strategy === "shell_integration";
  const isProven = isMarked && launch.nonce !== null;
  const markers = isMarked ? (program.prompt.shell_integration?.markers ?? null) : null;
  const parser = new MarkParser({ markers, nonce: isMarked ? launch.nonce : null });
  const modes = new ModeDetector(program);
  const changes = new Changes(clock);
  const partialLine = new PartialLine();
  const owner = new TerminalOwner(port);
  const watch = new PromptWatch({
    program,
    modes,
    clock,
    owner,
    isReading: () => port.findReaders().blocked,
    columns: () => port.size().cols,
    typedAt: () => port.typedAt(),
    onPhase,
  });
  const shared = { port, clock, watch, owner, program, changes, partialLine };
  const changed = new ChangedPrompt(shared);
  const gate = new PromptGate({ ...shared, changed, isProven, capabilities: program.capabilities });
  const typer = new LineTyper({ ...shared, gate, changed, onTyping });
  const readiness = new Readiness({ ...shared, ...launch, gate, lineEnding: typer.lineEnding });
  const reported = new ReportedState(program, modes);
  const idleOutput = new IdleOutput(program);
  const hiddenKeyWatch = new HiddenKeyWatch(shared);
  const place = { program, port, clock, watch };
  const states = { changed, modes, reported, partialLine, hiddenKeyWatch, watch, gate };
  return { ...states, place, parser, idleOutput, changes, typer, readiness, isProven };
}
