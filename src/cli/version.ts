import type { Command } from "commander";
import { getProgramVersion } from "../observe/package-root.js";
import { printLines } from "./output.js";

export function registerVersion(program: Command): void {
  program
    .command("version")
    .summary("print the version")
    .action(() => printLines([getProgramVersion()]));
}
