/** Which channels are connected, in a file beside the ledger: the line at the start of a run is printed before the hub is asked. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Paths } from "../config/paths.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";
import { attempt } from "../model/data/attempt.js";
import { isProcessAlive, readProcessStartTime } from "../observe/process-life.js";

/** Called by the hub. On a full disk only the line is less exact. */
export function writeReachNote({ hubReach }: Paths, connected: readonly string[]): void {
  const note = [process.pid, readProcessStartTime(process.pid) ?? "", ...connected].join("\n");
  attempt(() => writeFileSync(hubReach, note, { mode: PRIVATE_FILE_MODE }), undefined);
}

/** What a hub that runs now has reported last. */
export function readConnectedChannels({ hubReach }: Paths): readonly string[] {
  return attempt(() => {
    const [pid, startTime, ...connected] = readFileSync(hubReach, "utf8").split("\n");
    return isProcessAlive(Number(pid), startTime || null) ? connected : [];
  }, []);
}
