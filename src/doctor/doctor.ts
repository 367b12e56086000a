/** Collects the facts for `atlasbridge doctor`, with time limits, and lets pure functions judge them. */
import { existsSync } from "node:fs";
import { readConfigDigest } from "../config/stored/config-digest.js";
import { getOwnUid } from "../config/own-user.js";
import { buildToolEnvironment, listWithheldVariables } from "../config/tool-environment.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { systemClock } from "../observe/clock.js";
import { measureHost } from "../worker/session/host/host-output.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { readConfirmed, checkChannel } from "./channels.js";
import { channelLoaders, type AnyChannelPlugin } from "../plugins/channels/channels.js";
import { readReadings } from "../observe/reading-log.js";
import { getProgramVersion } from "../observe/package-root.js";
import { checkAdapters, readAdapters, checkBundles, checkPrograms, checkReadings } from "./adapters.js";
import { ADDONS, tryAddon, type AddonTry, checkAddon, checkNode } from "./runtime.js";
import {
  examine,
  failCheck,
  reportError,
  findWorst,
  type Check,
  type Diagnosis,
  type CheckFinding,
} from "./check.js";
import { checkConfiguration, checkSecrets, readConfiguration } from "./configuration.js";
import { checkDatabase, checkFiles } from "./files.js";
import { askHub, checkHub, checkSessions } from "./hub.js";
import { checkTerminal } from "./terminal.js";

/** Starts nothing. Never rejects because of a finding. */
export async function diagnose(): Promise<Diagnosis> {
  const version = getProgramVersion();
  const addons = Promise.all(ADDONS.map((addon) => tryAddon(addon)));
  const ours = await Promise.all([
    checkRuntime(addons),
    checkThisTerminal(),
    ...checkFilesAndHub(version, addons),
  ]);
  const checks = ours.flat();
  return { state: findWorst(checks), version, checks };
}

async function checkRuntime(addons: Promise<readonly AddonTry[]>): Promise<Check[]> {
  const { node, modules: abi } = process.versions;
  const facts = { node, abi };
  return examine("node", async () => [
    checkNode(facts),
    ...(await addons).map((tried) => checkAddon(tried, facts)),
  ]);
}

function checkThisTerminal(): Promise<Check[]> {
  const { stdin, stdout, env } = process;
  return examine("terminal", () =>
    checkTerminal({ input: stdin.isTTY, output: stdout.isTTY, size: measureHost(), env }),
  );
}

function checkFilesAndHub(version: string, addons: Promise<readonly AddonTry[]>): Promise<Check[]>[] {
  let paths: Paths;
  try {
    paths = resolvePaths();
  } catch (error) {
    return [examine("directories", () => [reportError("directories", error)])];
  }
  const hub = askHub(paths, systemClock);
  const reading = readConfiguration({ file: paths.config, channels: channelSchemas, env: process.env });
  return [
    examine("directories", () => checkFiles({ paths, uid: getOwnUid(), secretFiles: reading.secretFiles })),
    examine("config", async () => {
      const hubRuns = (await hub).kind === "serves";
      return checkConfiguration(reading, Object.keys(channelSchemas), hubRuns);
    }),
    examine("secrets", async () => {
      const kept = reading.config?.environment.keep_in_tools ?? [];
      return checkSecrets(await listWithheldVariables(paths.config), kept);
    }),
    examine("socket", async () => {
      const facts = await hub;
      return checkHub(facts, { version, paths, configDigest: findConfigDigest(paths) });
    }),
    examine("sessions", async () => {
      const facts = await hub;
      return facts.kind === "serves" ? checkSessions(facts.sessions) : [];
    }),
    examine("database", async () => inspectDatabase(paths, await addons)),
    ...Object.entries(reading.config?.channels ?? {}).map(([id, config]) =>
      examine(`channel:${id}`, async () => [
        await checkChannel({
          id,
          config,
          hub: await hub,
          plugin: loadPlugin,
          clock: systemClock,
          confirmed: (name) => readConfirmed(paths, name),
          people: reading.config?.people ?? [],
        }),
      ]),
    ),
    examine("adapters", async () => {
      const facts = await readAdapters(paths, await buildToolEnvironment(paths.config, process.env));
      return [...checkAdapters(facts), ...checkReadings(readReadings(paths.readings), facts)];
    }),
    examine("programs", async () =>
      checkPrograms(paths, await buildToolEnvironment(paths.config, process.env)),
    ),
    examine("adapters", () => checkBundles(paths)),
  ];
}

function findConfigDigest(paths: Paths): string | null {
  try {
    return readConfigDigest(paths);
  } catch {
    return null;
  }
}

async function loadPlugin(id: string): Promise<AnyChannelPlugin | undefined> {
  return channelLoaders[id]?.();
}

/** A child process has loaded the addon safely before. */
async function inspectDatabase(
  { database: path, auditKey }: Paths,
  addons: readonly AddonTry[],
): Promise<CheckFinding[]> {
  const driver = addons.find(({ addon }) => addon === "better-sqlite3");
  if (driver?.load.kind !== "loaded")
    return [
      failCheck("database", `${path} cannot be opened without better-sqlite3`, "See better-sqlite3 above."),
    ];
  const { examineStore } = await import("../hub/store/verify-store.js");
  const { locateKeptSeals } = await import("../hub/store/audit-files.js");
  const left = [auditKey, locateKeptSeals(path)].filter((file) => existsSync(file));
  return checkDatabase(path, await examineStore(path, auditKey), left);
}
