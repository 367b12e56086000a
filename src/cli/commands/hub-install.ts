/** `atlasbridge hub install`: arguments and output. */
import { Option, type Command } from "commander";
import type { InstalledService, UninstalledService } from "../../service/install-service.js";
import { printLines } from "../output.js";

interface InstallFlags {
  readonly print: boolean;
  readonly uninstall: boolean;
}

export function registerInstall(hub: Command): void {
  hub
    .command("install")
    .summary("write a service file for the hub: a systemd user unit, or a launchd agent")
    .addOption(
      new Option("--print", "print the file without writing it").default(false).conflicts("uninstall"),
    )
    .option("--uninstall", "remove the service file", false)
    .action(async ({ print, uninstall }: InstallFlags) => {
      const { installService, printService, uninstallService } =
        await import("../../service/install-service.js");
      if (print) process.stdout.write(printService());
      else printLines(uninstall ? formatUninstalled(uninstallService()) : formatInstalled(installService()));
    });
}

function formatInstalled({ path, enable, notes }: InstalledService): string[] {
  return [`Wrote ${path}.`, ...notes, "Enable it with", ...enable.map(indent)];
}

function formatUninstalled({ path, removed, end }: UninstalledService): string[] {
  if (!removed) return [`There is no ${path}.`];
  return [`Removed ${path}.`, "If it is still running, stop it with", ...end.map(indent)];
}

function indent(line: string): string {
  return `  ${line}`;
}
