import { type Command, Option } from "commander";
import type { StartedHub, StoppedHub } from "../../client/manage-hub.js";
import type { ChannelChange } from "../../wire/messages.js";
import { EXIT } from "../../model/errors.js";
import { formatHub, describeUnrelayed } from "../format.js";
import { printMessage, printLines, printResult } from "../output.js";
import { parseWholeNumber } from "../parse-option.js";
import type { InstalledService, UninstalledService } from "../../service/install-service.js";

interface StartFlags {
  readonly foreground: boolean;
  readonly service: boolean;
}

export function registerHub(program: Command): void {
  const hub = program
    .command("hub")
    .summary("start, stop, inspect or reload the hub")
    .description(
      "The first session starts the hub, and it exits when it is no longer needed. These commands control it explicitly.",
    );

  hub
    .command("start")
    .summary("start the hub and wait until it is ready")
    .option("--foreground", "run the hub in this process", false)
    .option("--service", "with --foreground: run by a service manager, so never exit when idle", false)
    .action(async (flags: StartFlags) => {
      if (flags.foreground || flags.service) return serveHere(flags);
      const { startHub } = await import("../../client/manage-hub.js");
      printLines([formatStarted(await startHub())]);
    });

  hub
    .command("stop")
    .summary("stop the hub; sessions keep running and wait for the next one")
    .action(async () => {
      const { stopHub } = await import("../../client/manage-hub.js");
      printLines([formatStopped(await stopHub())]);
    });

  hub
    .command("status")
    .summary("show the hub and its channels; fails if no hub is running")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { getHubStatus } = await import("../../client/manage-hub.js");
      await printResult(json, getHubStatus, (hub) => formatHub(hub, Date.now()));
    });

  hub
    .command("reload")
    .summary("reload the configuration, with this shell's values of the variables in it")
    .description(
      "Reload the configuration, with this shell's values of the variables in it. The hub keeps these values until it ends; a hub that starts later has the environment of the shell or session that starts it.",
    )
    .action(async () => {
      const { reloadHub } = await import("../../client/manage-hub.js");
      const { changed, channels, variables } = await reloadHub();
      const list = (what: string, names: readonly string[]): string[] =>
        names.length === 0 ? [] : [`${what}: ${names.join(", ")}.`];
      const what = changed.length === 0 ? "Nothing has changed." : `Changed: ${changed.join(", ")}.`;
      printLines([
        `The hub has reloaded the configuration. ${what}`,
        ...list("Read from this shell", variables.set),
        ...list("Not set in this shell, so the hub keeps the values it has", variables.unset),
        ...channels.map(formatChannelChange),
      ]);
    });

  registerLogs(hub);
  registerInstall(hub);
}

/** `telegram was stopped: the configuration does not name it any more.` */
function formatChannelChange({ id, change, reason }: ChannelChange): string {
  const what = change === "closed" ? "is closed" : `was ${change}`;
  return `${id} ${what}${reason === null ? "." : `: ${reason}`}`;
}

function registerLogs(hub: Command): void {
  hub
    .command("logs")
    .summary("show the hub's log")
    .option("-f, --follow", "keep printing new lines", false)
    .option(
      "-n, --lines <count>",
      "number of existing lines to show",
      parseWholeNumber(0, LINES_MAX),
      LINES_DEFAULT,
    )
    .action(async ({ follow, lines }: { follow: boolean; lines: number }) => {
      const { readLog } = await import("../../client/hub-log.js");
      await readLog({ count: lines, follow }, (line) => printLines([line]));
    });
}

const LINES_DEFAULT = 100;
const LINES_MAX = 999_999_999;

function formatStarted({ started, replaced, status: { pid, version } }: StartedHub): string {
  if (replaced !== null)
    return `The hub is running (process ${pid}): version ${version} replaced ${replaced}.`;
  return started ? `The hub is running (process ${pid}).` : `The hub was already running (process ${pid}).`;
}

function formatStopped(stopped: StoppedHub | null): string {
  if (!stopped) return "No hub is running.";
  const ended = `The hub has stopped (process ${stopped.pid}).`;
  return stopped.sessions === 0 ? ended : `${ended} ${describeUnrelayed(stopped.sessions)}`;
}

async function serveHere({ service }: StartFlags): Promise<void> {
  const { relaunchSafely } = await import("../../app/hub/relaunch.js");
  const elsewhere = await relaunchSafely();
  if (elsewhere !== null) process.exit(elsewhere);
  const { runHub } = await import("../../app/hub/run-hub.js");
  const { composeHub } = await import("../../app/hub/core.js");
  const ended = await runHub({ service }, composeHub);
  // A hub that a worker started exits silently: the worker only wanted some hub to run.
  if (ended === "another_serves" && (service || process.stderr.isTTY))
    printMessage("another hub is already running");
  // Explicit, because a channel's library may keep a handle open.
  process.exit(service && ended === "outdated" ? EXIT.replaced : EXIT.ok);
}

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
