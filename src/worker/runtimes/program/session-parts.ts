/** Creates and connects the parts of a program session. */
import { BetweenCommands } from "./output/between-commands.js";
import type { CommandRun } from "./output/command-run.js";
import { Changes, LineTyper } from "./line-typer.js";
import type { ControlledProgram } from "./program-controls.js";
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
import type { ProgramSessionOptions } from "./session-options.js";

export interface ProgramParts {
  readonly parser: MarkParser;
  readonly modes: ModeDetector;
  readonly reported: ReportedState;
  readonly between: BetweenCommands;
  readonly changes: Changes;
  readonly begun: BegunLine;
  readonly keyTaking: KeyTaking;
  readonly watch: PromptWatch;
  readonly gate: PromptGate;
  readonly changed: ChangedPrompt;
  readonly place: ControlledProgram;
  readonly typer: LineTyper;
  readonly readiness: Readiness;
  readonly isProven: boolean;
}

export interface SessionEvents {
  readonly onPhase: (phase: Phase) => void;
  readonly onTyping: (run: CommandRun) => void;
}

export function createParts(
  { read, launch, port, clock }: ProgramSessionOptions,
  { onPhase, onTyping }: SessionEvents,
): ProgramParts {
  const { program } = read;
  const isMarked = program.prompt.strategy === "shell_integration";
  const isProven = isMarked && launch.nonce !== null;
  const markers = isMarked ? (program.prompt.shell_integration?.markers ?? null) : null;
  const parser = new MarkParser({ markers, nonce: isMarked ? launch.nonce : null });
  const modes = new ModeDetector(program);
  const changes = new Changes();
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
