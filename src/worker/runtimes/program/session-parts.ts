import { BetweenCommands } from "./output/between-commands.js";
import type { CommandRun } from "./output/command-run.js";
import { Changes } from "./changes.js";
import { LineTyper } from "./line-typer.js";
import { BegunLine } from "./prompt/begun-line.js";
import { ChangedPrompt } from "./prompt/changed-prompt.js";
import { KeyTaking } from "./prompt/key-taking.js";
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
  const begun = new BegunLine();
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
  const shared = { port, clock, watch, owner, program, changes, begun };
  const changed = new ChangedPrompt(shared);
  const gate = new PromptGate({ ...shared, changed, isProven, capabilities: program.capabilities });
  const typer = new LineTyper({ ...shared, gate, changed, onTyping });
  const readiness = new Readiness({ ...shared, ...launch, gate, lineEnding: typer.lineEnding });
  const reported = new ReportedState(program, modes);
  const between = new BetweenCommands(program);
  const keyTaking = new KeyTaking(shared);
  const place = { program, port, clock, watch };
  const states = { changed, modes, reported, begun, keyTaking, watch, gate };
  return { ...states, place, parser, between, changes, typer, readiness, isProven };
}
