/** Checks whether every file of a shell, an interpreter or a debugger is usable, and which of the programs are installed. Starts none. */
import { AtlasBridgeError } from "../model/errors.js";
import type { AdapterPlace } from "../plugins/adapters/adapters.js";
import { listPrograms, loadProgram, type FoundProgram } from "../plugins/adapters/programs.js";
import type { Environment } from "../worker/process/child-environment.js";
import { findProgram } from "../worker/runtimes/program/launch.js";
import { passCheck, reportError, type CheckFinding } from "./check.js";

export async function checkPrograms(place: AdapterPlace, environment: Environment): Promise<CheckFinding[]> {
  const installed: string[] = [];
  const findings: CheckFinding[] = [];
  const found = listPrograms(place);
  for (const program of found) {
    const check = `program:${program.name}` as const;
    try {
      if (await isInstalled(program, environment)) installed.push(program.name);
      if (program.isOwn) findings.push(passCheck(check, `yours (${program.file})`));
    } catch (error) {
      findings.push(reportError(check, error));
    }
  }
  const usable = found.length - findings.filter(({ state }) => state === "fail").length;
  const names = installed.length > 0 ? installed.join(", ") : "none of their programs";
  return [passCheck("programs", `${usable} usable; installed: ${names}`), ...findings];
}

/** Errors: ATB_ADAPTER_INVALID. */
async function isInstalled({ file }: FoundProgram, environment: Environment): Promise<boolean> {
  const { program } = await loadProgram(file);
  try {
    findProgram(program, { typed: null, environment, cwd: process.cwd() });
    return true;
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_TOOL_NOT_FOUND") return false;
    throw error;
  }
}
