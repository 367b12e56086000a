/** `run --console`: prepares a shell, an interpreter or a debugger so that it marks its prompts, and its console. */
import { rmSync } from "node:fs";
import type { Paths } from "../config/paths.js";
import type { Clock } from "../model/clock.js";
import { systemRandom } from "../observe/random.js";
import { requireAgreement, type AskToRun } from "../plugins/adapters/agreed-files.js";
import { findProgramFile } from "../plugins/adapters/programs.js";
import { sanitizeText } from "../safety/safe-text.js";
import type { View } from "../sdk/view.js";
import type { Environment } from "../worker/process/child-environment.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";
import { isInstalled } from "../worker/process/executable.js";
import { findProgram, prepareLaunch, removeStaleFiles } from "../worker/runtimes/program/launch.js";
import type { ProgramPort } from "../worker/runtimes/program/program-port.js";
import { ProgramSession } from "../worker/runtimes/program/program-session.js";
import { createConsoleFolder, listConsoleFolders, removeLeftFolders } from "./console-folder.js";
import { ConsoleService } from "./console-service.js";

export interface ConsolePlace {
  readonly cwd: string;
  readonly environment: Environment;
  readonly paths: Pick<Paths, "adaptersDir" | "consolesDir" | "dataDir" | "agreedAdapters">;
  readonly clock: Clock;
}

export interface PreparedConsole {
  readonly command: readonly string[];
  readonly environment: Environment;
  /** Printed before the program starts; may be empty. */
  readonly banner: string;
  /** The program must be able to read it. */
  readonly folder: string;
  attach(host: ConsoleHost): ConsoleService;
  dispose(): void;
}

export interface ConsoleHost {
  readonly programPort: ProgramPort;
  view(): View;
}

export interface ConsoleOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly console: boolean | "agents";
  readonly askToRun: AskToRun;
}

const BANNER = "AtlasBridge: commands from outside may be typed here (atlasbridge console off)";
const REASON = {
  people: "it was started with --console: its chats and `atlasbridge send` may use it",
  agents: "it was started with --console-for-agents: agents may use it, each command with permission",
} as const;

function removeLeftFiles(program: ProgramFile, parent: string, now: number): void {
  removeLeftFolders(parent, now);
  for (const folder of listConsoleFolders(parent)) removeStaleFiles(program, folder, now);
}

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND; those of `createConsoleFolder` and `requireAgreement`. */
export async function prepareConsole(
  place: ConsolePlace,
  { command: [tool, ...args], console, askToRun }: ConsoleOptions,
): Promise<PreparedConsole> {
  const programFile = await findProgramFile(tool, place.paths);
  await requireAgreement(programFile.own, place.paths, askToRun);
  removeLeftFiles(programFile.program, place.paths.consolesDir, place.clock.now());
  const folder = createConsoleFolder(place.paths.consolesDir);
  const createGuid = (): string => systemRandom.uuid();
  const typedPath = isNameOnly(tool, programFile.program, place) ? null : tool;
  const texts = { banner: BANNER, reason: REASON[console === "agents" ? "agents" : "people"] };
  const launch = prepareLaunch(programFile, {
    ...place,
    ...texts,
    typed: typedPath,
    args,
    folder,
    guid: createGuid(),
    nonce: createGuid(),
  });
  return {
    command: launch.command,
    environment: launch.environment,
    banner: launch.banner,
    folder,
    attach: (host) => {
      const port = host.programPort;
      const session = new ProgramSession({
        read: programFile,
        launch,
        port,
        clock: place.clock,
        createGuid,
        folder,
      });
      const readScreen = (): string => sanitizeText(readRows(host.view()));
      return new ConsoleService({
        session,
        program: programFile.program,
        clock: place.clock,
        forAgents: console === "agents",
        readScreen,
      });
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The executable that `tool` starts; a typed name may still have to be looked up along PATH. */
export function findLaunched(
  tool: string,
  program: ProgramFile,
  place: Pick<ConsolePlace, "environment" | "cwd">,
): string {
  return findProgram(program, { ...place, typed: isNameOnly(tool, program, place) ? null : tool });
}

/** An alias such as `perldb` need not be an executable: the file then names the program. */
function isNameOnly(
  tool: string,
  { name, aliases }: ProgramFile,
  { environment, cwd }: Pick<ConsolePlace, "environment" | "cwd">,
): boolean {
  if (tool === name) return true;
  return aliases.includes(tool) && !isInstalled(tool, { path: environment["PATH"], cwd });
}

function readRows({ lines }: View): string {
  return lines
    .map((line) => line.text.trimEnd())
    .join("\n")
    .trimEnd();
}
