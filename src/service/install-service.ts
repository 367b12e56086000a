/**
 * `hub install`: writes or removes a service file; enabling it is left to the user. A file that we did not write, or that was changed, is
 * not touched.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { HUB_ARGUMENTS, buildOwnCommand } from "../client/connect/start-hub.js";
import { createFileError } from "../config/file-errors.js";
import { loadConfig } from "../config/load.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { ensureHubDirectories } from "../config/private-files.js";
import { listVariables } from "../config/secrets.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { buildServiceFile, describeService, type ServiceFile, type UserService } from "./service-files.js";

interface ServiceInstallation {
  readonly paths: Paths;
  readonly service: UserService;
  readonly file: ServiceFile;
}

function planInstallation(): ServiceInstallation {
  const paths = resolvePaths();
  const command = buildOwnCommand([...HUB_ARGUMENTS, "--service"]);
  const service = describeService(paths, command, process.env);
  return { paths, service, file: buildServiceFile(service, process.platform) };
}

export function printService(): string {
  return formatFile(planInstallation().file);
}

export interface InstalledService {
  readonly path: string;
  readonly enable: readonly string[];
  readonly notes: readonly string[];
}

/** Errors: ATB_USAGE, ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SOCKET_UNSAFE. */
export function installService(): InstalledService {
  const { paths, service, file } = planInstallation();
  const { path } = file;
  // The service manager would create them open to others.
  ensureHubDirectories(paths);
  refuseForeign(file);
  const draft = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, formatFile(file), { mode: 0o644, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be written");
  }
  const notes = [describeSecrets(paths, file), describeProgram(service)];
  return { path, enable: file.enable, notes: notes.filter((note) => note !== null) };
}

export interface UninstalledService {
  readonly path: string;
  readonly removed: boolean;
  /** Commands for a service that still runs. */
  readonly end: readonly string[];
}

/** Errors: ATB_USAGE, ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function uninstallService(): UninstalledService {
  const { file } = planInstallation();
  const { path, link, end } = file;
  const removed = refuseForeign(file);
  try {
    if (removed) rmSync(path);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be removed");
  }
  if (removed && link !== null && lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink())
    rmSync(link, { force: true });
  return { path, removed, end };
}

const MARK = "Written by `atlasbridge hub install`";

/** The mark has a checksum of the body. */
function formatMark({ comment }: ServiceFile, body: string): string {
  const sum = createHash("sha256").update(body).digest("hex");
  return comment(`${MARK}, which knows its own files by ${sum}`);
}

function formatFile(file: ServiceFile): string {
  return `${file.head}${formatMark(file, file.body)}\n${file.body}`;
}

/** False if there is no file. Errors: ATB_FILE_FOREIGN, ATB_FILE_DENIED. */
function refuseForeign(file: ServiceFile): boolean {
  const { path, head } = file;
  const text = readFile(path);
  if (text === null) return false;
  const [mark = "", ...rest] = text.startsWith(head) ? text.slice(head.length).split("\n") : [];
  if (mark === formatMark(file, rest.join("\n"))) return true;
  const found = mark.includes(MARK) ? "was changed since it was written" : "was not written by AtlasBridge";
  throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${path} ${found}; it was left unchanged`, {
    hint: "Check its content, and move it away if you do not need it.",
  });
}

function readFile(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  // A link: the user keeps the file elsewhere.
  if (!found.isFile()) return "";
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw createFileError(cause, path, "cannot be read");
  }
}

/** A service does not have the shell's environment variables. */
function describeSecrets(paths: Paths, { secretsAdvice: advice }: ServiceFile): string | null {
  const names = listConfigVariables(paths);
  if (names.length === 0) return null;
  return `The configuration takes ${names.join(", ")} from the environment, but a service does not have your shell's variables: ${advice}.`;
}

function listConfigVariables({ config: file }: Paths): string[] {
  try {
    return listVariables(loadConfig({ file, channels: channelSchemas, env: {}, secrets: "leave" }));
  } catch (error) {
    // The hub reports it; a service may be installed before it is fixed.
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
