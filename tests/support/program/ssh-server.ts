/** An SSH server of its own on the loopback, with keys that are thrown away, for whoever runs the tests. */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { notInstalled } from "../skipped.js";

/** It has to be called by its whole path, and is not on everybody's search path. */
const SSHD = "/usr/sbin/sshd";
/** Where a server of root keeps its unprivileged part. Its package's start script makes it. */
const EMPTY_FOLDER = "/run/sshd";

export const noSshServer: string | null =
  notInstalled("ssh", "ssh-keygen") ?? (existsSync(SSHD) ? null : "not installed: sshd");

export interface SshServer {
  /** The command that opens a shell on the other side, without a command of its own and the address last. */
  readonly command: string;
  readonly stop: () => Promise<void>;
}

export async function startSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), "sshd-"));
  const [host, key] = [join(folder, "host"), join(folder, "key")];
  for (const path of [host, key])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path]);
  copyFileSync(`${key}.pub`, join(folder, "authorized"));
  if (process.getuid?.() === 0) mkdirSync(EMPTY_FOLDER, { recursive: true, mode: 0o755 });
  const port = await findFreePort();
  const config = join(folder, "config");
  writeFileSync(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${host}`,
      `AuthorizedKeysFile ${join(folder, "authorized")}`,
      "PidFile none",
      // The folder of temporary files may be written by everybody.
      "StrictModes no",
      "UsePAM no",
      "PermitRootLogin yes",
      "PasswordAuthentication no",
      "PrintMotd no",
      "PrintLastLog no",
      "",
    ].join("\n"),
  );
  const server = spawn(SSHD, ["-D", "-e", "-f", config], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("Server listening")) resolve();
    });
    void ended.then(() => reject(new Error(`sshd has ended: ${said}`)));
  });
  const options = [
    ["-F", "none"],
    ["-i", key],
    ["-p", String(port)],
    ["-o", "IdentitiesOnly=yes"],
    ["-o", "StrictHostKeyChecking=no"],
    ["-o", "UserKnownHostsFile=/dev/null"],
    ["-o", "LogLevel=ERROR"],
  ];
  return {
    command: `ssh ${options.flat().join(" ")} ${userInfo().username}@127.0.0.1`,
    stop: async () => {
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
