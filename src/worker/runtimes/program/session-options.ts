import type { Clock } from "../../../model/clock.js";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";
import type { ProgramLaunch } from "./launch.js";
import type { ProgramPort } from "./program-port.js";

export interface ProgramSessionOptions {
  readonly read: ReadProgram;
  readonly launch: Pick<ProgramLaunch, "nonce" | "injection" | "secretFile">;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly createGuid: () => string;
  readonly folder: string;
}

export interface RunOptions {
  /** How long the caller waits, including the time before the command is typed. The command itself continues. */
  readonly timeoutMs: number;
  /** The working directory for it; the program stays there afterwards. */
  readonly directory?: string | undefined;
}
