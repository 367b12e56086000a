/** What a program session is made of, and what a caller says about one command. */
import type { Clock } from "../../../model/clock.js";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";
import type { ProgramLaunch } from "./launch.js";
import type { ProgramPort } from "./program-port.js";

export interface ProgramSessionOptions {
  readonly read: ReadProgram;
  readonly launch: Pick<ProgramLaunch, "nonce" | "injection" | "secretFile">;
  readonly port: ProgramPort;
  readonly clock: Clock;
  /** A new random text with each call. */
  readonly createGuid: () => string;
  /** Folder for files of commands, private to the user. */
  readonly folder: string;
}

export interface RunOptions {
  /** How long the caller waits, its turn included. Then the command goes on. */
  readonly timeoutMs: number;
  /** The working directory for it, by the program's own command; the program stays there. */
  readonly directory?: string | undefined;
}
