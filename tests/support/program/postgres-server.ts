/** A PostgreSQL server of its own for tests of its client: as the system's packages install it, in a temporary folder, on no port of the network. */
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notInstalled } from "../skipped.js";
import { OTHER_UID } from "../other-user.js";

/** Where Debian puts the programs of a server, by its version. */
const VERSIONS = "/usr/lib/postgresql";

export interface PostgresServer {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export const noPostgres: string | null =
  notInstalled("psql") ?? (findPrograms() === null ? "not installed: the server of PostgreSQL" : null);

function findPrograms(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const folders = versions.sort((one, other) => Number(other) - Number(one));
  return (
    folders
      .map((version) => join(VERSIONS, version, "bin"))
      .find((folder) => existsSync(join(folder, "initdb"))) ?? null
  );
}

/** Resolves once it takes connections, for the user `postgres` without a password. It refuses to run as root. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  if (programs === null) throw new Error("there is no server of PostgreSQL");
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const owner = process.getuid?.() === 0 ? { uid: OTHER_UID, gid: OTHER_UID } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { ...owner, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, "-F", "-k", folder, "-c", "listen_addresses="],
    {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("ready to accept connections")) resolve();
    });
    void ended.then(() => reject(new Error(`the server has ended: ${said}`)));
  });
  return {
    environment: { PGHOST: folder, PGPORT: "5432", PGUSER: "postgres", PGDATABASE: "postgres" },
    stop: async () => {
      // Without waiting for its clients.
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
