/**
 * Composes `atlasbridge doctor`: gathers facts, with separate processes and time limits where needed, and lets pure functions
 * judge them.
 */
import { existsSync } from "node:fs";
import { ownUid } from "../config/own-user.js";
import { toolEnvironment, withheldVariables } from "../config/tool-environment.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { systemClock } from "../observe/clock.js";
import { measureHost } from "../worker/session/host/host-output.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { CONFIRMED_KEY } from "../plugins/channels/endpoints.js";
import { channelLoaders, type AnyChannelPlugin } from "../plugins/channels/channels.js";
import { programVersion } from "../observe/program-version.js";
import { checkAdapters, readAdapters } from "./adapters.js";
import { ADDONS, tryAddon, type AddonTry } from "./addon.js";
import { checkChannel } from "./channels.js";
import {
  examine,
  fail,
  failedCheck,
  worstOf,
  type Check,
  type Diagnosis,
  type CheckFinding,
} from "./check.js";
import { checkConfiguration, checkSecrets, readConfiguration } from "./configuration.js";
import { checkDatabase } from "./database.js";
import { checkFiles } from "./files.js";
import { askHub, checkHub } from "./hub.js";
import { checkAddon, checkNode } from "./runtime.js";
import { checkTerminal } from "./terminal.js";

/** Starts nothing, and changes only one row of a running hub (`hub.status`). Never rejects because of a finding. */
export async function diagnose(): Promise<Diagnosis> {
  const version = programVersion();
  const addons = Promise.all(ADDONS.map((addon) => tryAddon(addon)));
  const ours = await Promise.all([runtime(addons), terminal(), ...placed(version, addons)]);
  const checks = ours.flat();
  return { state: worstOf(checks), version, checks };
}

async function runtime(addons: Promise<readonly AddonTry[]>): Promise<Check[]> {
  const { node, modules: abi } = process.versions;
  const facts = { node, abi };
  return examine("node", async () => [
    checkNode(facts),
    ...(await addons).map((tried) => checkAddon(tried, facts)),
  ]);
}

function terminal(): Promise<Check[]> {
  const { stdin, stdout, env } = process;
  return examine("terminal", () =>
    checkTerminal({ input: stdin.isTTY, output: stdout.isTTY, size: measureHost(), env }),
  );
}

/** All checks that depend on the location of our files. */
function placed(version: string, addons: Promise<readonly AddonTry[]>): Promise<Check[]>[] {
  let paths: Paths;
  try {
    paths = resolvePaths();
  } catch (error) {
    return [examine("directories", () => [failedCheck("directories", error)])];
  }
  const hub = askHub(paths, systemClock);
  const reading = readConfiguration({ file: paths.config, channels: channelSchemas, env: process.env });
  return [
    examine("directories", () => checkFiles({ paths, uid: ownUid(), secretFiles: reading.secretFiles })),
    examine("config", () => checkConfiguration(reading, Object.keys(channelSchemas))),
    examine("secrets", async () => {
      const kept = reading.config?.environment.keep_in_tools ?? [];
      return checkSecrets(await withheldVariables(paths.config), kept);
    }),
    examine("socket", async () => checkHub(await hub, { version, paths })),
    examine("database", async () => lookAtDatabase(paths, await addons)),
    ...Object.entries(reading.config?.channels ?? {}).map(([id, config]) =>
      examine(`channel:${id}`, async () => [
        await checkChannel({
          id,
          config,
          hub: await hub,
          plugin,
          clock: systemClock,
          confirmed: (name) => confirmedOf(paths, name),
        }),
      ]),
    ),
    examine("adapters", async () =>
      checkAdapters(await readAdapters(paths, await toolEnvironment(paths.config, process.env))),
    ),
  ];
}

async function plugin(id: string): Promise<AnyChannelPlugin | undefined> {
  return channelLoaders[id]?.();
}

async function confirmedOf({ database: path, auditKey }: Paths, channel: string): Promise<string | null> {
  const { readSetting } = await import("../hub/store/tables/read-setting.js");
  return readSetting({ path, auditKey }, channel, CONFIRMED_KEY);
}

/** Its addon is loaded into this process only after a child process has loaded it safely. */
async function lookAtDatabase(
  { database: path, auditKey }: Paths,
  addons: readonly AddonTry[],
): Promise<CheckFinding[]> {
  const driver = addons.find(({ addon }) => addon === "better-sqlite3");
  if (driver?.load.kind !== "loaded")
    return [fail("database", `${path} cannot be opened without better-sqlite3`, "See better-sqlite3 above.")];
  const { examineStore } = await import("../hub/store/examine-store.js");
  const { keptSealsBeside } = await import("../hub/store/seals/kept-seals.js");
  const left = [auditKey, keptSealsBeside(path)].filter((file) => existsSync(file));
  return checkDatabase(path, await examineStore(path, auditKey), left);
}
