/** `hub install`: writes a service file for this machine's service manager. Enabling it is left to the user. */
import { lstatSync, rmSync } from "node:fs";
import { loadConfig } from "../config/load.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { ensureHubDirectories } from "../config/private-files.js";
import { listVariables } from "../config/secrets.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { HUB_ARGUMENTS, buildOwnCommand } from "../client/connect/start-hub.js";
import { findManager, type ServiceManager } from "./manager.js";
import { describeService, type UserService } from "./service.js";
import { addMark, removeMarked, writeMarked } from "./written-file.js";

interface Installation {
  readonly paths: Paths;
  readonly manager: ServiceManager;
  readonly service: UserService;
  readonly path: string;
}

function planInstallation(): Installation {
  const paths = resolvePaths();
  const manager = findManager(process.platform);
  const command = buildOwnCommand([...HUB_ARGUMENTS, "--service"]);
  const service = describeService({ paths, command, env: process.env });
  return { paths, manager, service, path: manager.path(service) };
}

/** The file as it would be written. Errors: ATB_USAGE. */
export function printService(): string {
  const { manager, service } = planInstallation();
  return addMark(manager.style, manager.body(service));
}

export interface InstalledService {
  readonly path: string;
  /** Commands that enable the service. */
  readonly enable: readonly string[];
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Errors: ATB_USAGE, ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SOCKET_UNSAFE. */
export function installService(): InstalledService {
  const { paths, manager, service, path } = planInstallation();
  // Created here, because the service manager would create them open to others.
  ensureHubDirectories(paths);
  writeMarked(manager.style, path, manager.body(service));
  const notes = [describeSecrets(paths, manager, service), describeProgram(service)];
  return { path, enable: manager.enable(service, path), notes: notes.filter((note) => note !== null) };
}

export interface UninstalledService {
  readonly path: string;
  /** False if there was none. */
  readonly removed: boolean;
  /** Commands that stop the service if it is still running. */
  readonly end: readonly string[];
}

/** Errors: ATB_USAGE, ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function uninstallService(): UninstalledService {
  const { manager, service, path } = planInstallation();
  const removed = removeMarked(manager.style, path);
  if (removed) for (const link of manager.links(service)) removeLink(link);
  return { path, removed, end: manager.end(service) };
}

function removeLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path, { force: true });
}

/** Warns about secrets in environment variables: a shell's variables are not available to a service. */
function describeSecrets(paths: Paths, manager: ServiceManager, service: UserService): string | null {
  const names = listConfigVariables(paths);
  if (names.length === 0) return null;
  const advice = manager.secretsAdvice(service);
  return `The configuration takes ${names.join(", ")} from the environment, but a service does not have your shell's variables: ${advice}.`;
}

function listConfigVariables({ config: file }: Paths): string[] {
  try {
    return listVariables(loadConfig({ file, channels: channelSchemas, env: {}, secrets: "leave" }));
  } catch (error) {
    // The hub reports problems of the configuration; a service may be installed before they are fixed.
    if (error instanceof AtlasBridgeError) return [];
    throw error;
  }
}

/** npm may delete that folder at any time. */
function describeProgram({ command }: UserService): string | null {
  const borrowed = command.find((word) => word.includes("/_npx/"));
  if (borrowed === undefined) return null;
  return `${borrowed} is in npx's cache, which may be deleted: install the program (npm install -g) and run this again.`;
}
