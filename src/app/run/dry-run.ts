/** The output of `--dry-run`. */
import { shellWord } from "../../safety/shell-word.js";
import { isInstalled } from "../../worker/process/executable.js";

/** After the tool's name, the command as it can be pasted into a shell. */
export function toldCommand(tool: string, command: readonly string[], cwd: string): string {
  const [program = ""] = command;
  const isThere = isInstalled(program, { path: process.env["PATH"], cwd });
  return `${tool}: ${command.map(shellWord).join(" ")}${isThere ? "" : " (not installed)"}\n`;
}
