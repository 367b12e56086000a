/** `atlasbridge hub …`: the process that all sessions of a user share. */
import { InvalidArgumentError, type Command } from "commander";
import type { StartedHub, StoppedHub } from "../../client/manage-hub.js";
import type { ChannelChange } from "../../wire/messages.js";
import { EXIT } from "../../model/errors.js";
import { hubLines, relayedAgain } from "../format.js";
import { registerInstall } from "./hub-install.js";
import { complain, printLines, report } from "../output.js";

interface StartFlags {
  readonly foreground: boolean;
  readonly service: boolean;
}

export function registerHub(program: Command): void {
  const hub = program
    .command("hub")
    .summary("start, stop, inspect or reload the hub")
    .description(
      "The hub is started by the first session and leaves when nobody needs it; these are for the rest.",
    );

  hub
    .command("start")
    .summary("start the hub and wait until it serves")
    .option("--foreground", "be the hub, in this process", false)
    .option(
      "--service",
      "with --foreground: kept by a service manager, never leaves because it is idle",
      false,
    )
    .action(async (flags: StartFlags) => {
      if (flags.foreground || flags.service) return serveHere(flags);
      const { startHub } = await import("../../client/manage-hub.js");
      printLines([startedLine(await startHub())]);
    });

  hub
    .command("stop")
    .summary("stop the hub; sessions go on and wait for the next one")
    .action(async () => {
      const { stopHub } = await import("../../client/manage-hub.js");
      printLines([stoppedLine(await stopHub())]);
    });

  hub
    .command("status")
    .summary("show the hub and its channels; an error where none runs")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { hubStatus } = await import("../../client/manage-hub.js");
      await report(json, hubStatus, (hub) => hubLines(hub, Date.now()));
    });

  hub
    .command("reload")
    .summary("read the configuration again")
    .action(async () => {
      const { reloadHub } = await import("../../client/manage-hub.js");
      const { changed, channels } = await reloadHub();
      const what = changed.length === 0 ? "Nothing in it has changed." : `Changed: ${changed.join(", ")}.`;
      printLines([
        `The hub uses the configuration as it is now. ${what}`,
        ...channels.map(channelChangeLine),
      ]);
    });

  registerLogs(hub);
  registerInstall(hub);
}

/** `telegram was stopped: the configuration does not name it any more.` */
function channelChangeLine({ id, change, reason }: ChannelChange): string {
  const what = change === "closed" ? "is closed" : `was ${change}`;
  return `${id} ${what}${reason === null ? "." : `: ${reason}`}`;
}

function registerLogs(hub: Command): void {
  hub
    .command("logs")
    .summary("show what the hub wrote into its log")
    .option("-f, --follow", "go on with what it writes from now on", false)
    .option("-n, --lines <count>", "how many lines of what is there", lineCount, LINES_DEFAULT)
    .action(async ({ follow, lines }: { follow: boolean; lines: number }) => {
      const { readLog } = await import("../../app/hub/log.js");
      await readLog({ count: lines, follow }, (line) => printLines([line]));
    });
}

/** A screen or two. */
const LINES_DEFAULT = 100;

function lineCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a whole number.");
}

function startedLine({ started, replaced, status: { pid, version } }: StartedHub): string {
  if (replaced !== null)
    return `The hub serves (process ${pid}), version ${version} in place of ${replaced}.`;
  return started ? `The hub serves (process ${pid}).` : `The hub serves already (process ${pid}).`;
}

function stoppedLine(stopped: StoppedHub | null): string {
  if (!stopped) return "No hub runs.";
  const ended = `The hub has ended (process ${stopped.pid}).`;
  return stopped.sessions === 0 ? ended : `${ended} ${relayedAgain(stopped.sessions)}`;
}

async function serveHere({ service }: StartFlags): Promise<void> {
  const { relaunchUnsteered } = await import("../../app/hub/relaunch.js");
  const elsewhere = await relaunchUnsteered();
  if (elsewhere !== null) process.exit(elsewhere);
  const { runHub } = await import("../../app/hub/run-hub.js");
  const { composeHub } = await import("../../app/hub/core.js");
  const ended = await runHub({ service }, composeHub);
  // One that a worker started leaves without a word: that another hub serves is all that was wanted.
  if (ended === "another_serves" && (service || process.stderr.isTTY)) complain("another hub serves already");
  // Explicit: a channel's library may keep a handle open that nobody needs any more.
  process.exit(service && ended === "outdated" ? EXIT.replaced : EXIT.ok);
}
