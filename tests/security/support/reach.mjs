/**
 * Run by `atlasbridge run --isolate` in the place of a tool: tries every way to what is closed to it, and writes down which of them
 * were open. Arguments: where to write, the data directory, the configuration directory, a secret file, the hub's pid, a file
 * with the worker's pid, the package.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [log, data, config, secret, hub, workerFile, root] = process.argv.slice(2);
while (!fs.existsSync(workerFile) || fs.readFileSync(workerFile).length === 0)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
const worker = fs.readFileSync(workerFile, "utf8");
const require = createRequire(join(root, "package.json"));
const here = process.cwd();
const at = (name) => join(data, name);
/** Ends a hang: what took this long is not closed, but broken. */
const HANG_MS = 60_000;
const run = (file, ...args) =>
  execFileSync(file, args, { stdio: ["ignore", "pipe", "ignore"], timeout: HANG_MS });
/** A program that ends well although it read nothing proves nothing. */
const reads = (file, ...args) => {
  if (run(file, ...args).length === 0) throw new Error("nothing was read");
};
const signal = (pid, name) => process.kill(Number(pid), name);
const proc = (pid, name) => `/proc/${pid}/${name}`;
const readable = [
  "atlasbridge.db",
  "atlasbridge.db-wal",
  "atlasbridge.db-shm",
  "atlasbridge.db.checkpoints",
  "audit.key",
  "hub.secret",
  "hub.lock.db",
  "hub.address",
  "logs/hub.log",
  "captured_scenarios/one/screen.txt",
];

const ways = {
  ...Object.fromEntries(readable.map((name) => [`read ${name}`, () => fs.readFileSync(at(name))])),
  "read the configuration": () => fs.readFileSync(join(config, "config.yaml")),
  "read the token": () => fs.readFileSync(secret),
  "write to the database": () => fs.appendFileSync(at("atlasbridge.db"), "x"),
  "write to the WAL": () => fs.closeSync(fs.openSync(at("atlasbridge.db-wal"), "r+")),
  "write to the key": () => fs.closeSync(fs.openSync(at("audit.key"), "r+")),
  "write to the configuration": () => fs.appendFileSync(join(config, "config.yaml"), "\n"),
  "write to the address file": () => fs.writeFileSync(at("hub.address"), "/tmp/false.sock\n"),
  "write to the token": () => fs.appendFileSync(secret, "x"),
  "empty the database": () => fs.truncateSync(at("atlasbridge.db")),
  "empty the log": () => fs.truncateSync(at("logs/hub.log")),
  "make a file beside the database": () => fs.writeFileSync(at("hub.stopped"), "{}"),
  "make a directory there": () => fs.mkdirSync(at("adapters")),
  "make a socket there": () =>
    run(
      "python3",
      "-c",
      `import socket; socket.socket(socket.AF_UNIX).bind(${JSON.stringify(at("own.sock"))})`,
    ),
  "make a link there": () => fs.symlinkSync("/tmp", at("link")),
  "remove the database": () => fs.unlinkSync(at("atlasbridge.db")),
  "remove the lock": () => fs.unlinkSync(at("hub.lock.db")),
  "rename the key": () => fs.renameSync(at("audit.key"), at("audit.old")),
  "rename the data directory": () => fs.renameSync(data, `${data}.old`),
  "put a file in the place of the configuration": () => {
    fs.writeFileSync("own.yaml", "people: []\n");
    fs.renameSync("own.yaml", join(config, "config.yaml"));
  },
  "read it by a hard link": () => {
    fs.linkSync(at("audit.key"), "hard");
    fs.readFileSync("hard");
  },
  "read it by a symbolic link": () => {
    fs.symlinkSync(at("audit.key"), "soft");
    fs.readFileSync("soft");
  },
  "read it by a changed mode": () => {
    fs.chmodSync(at("audit.key"), 0o666);
    fs.readFileSync(at("audit.key"));
  },
  "read it by a child": () => reads("cat", at("audit.key")),
  "read it by a child in a session of its own": () => reads("setsid", "-w", "cat", at("audit.key")),
  "read it with an empty environment": () => reads("env", "-i", "cat", at("audit.key")),
  "read it by an orphan": () => {
    run(
      "sh",
      "-c",
      `(setsid sh -c 'cat "${at("audit.key")}" > "${here}/orphan" 2>/dev/null; touch "${here}/done"' &)`,
    );
    run("sh", "-c", `while [ ! -e "${here}/done" ]; do sleep 0.05; done`);
    if (fs.statSync("orphan").size === 0) throw new Error("nothing was read");
  },
  "open the database": () => {
    const Database = require("better-sqlite3");
    new Database(at("atlasbridge.db"), { readonly: true }).prepare("SELECT count(*) FROM audit").get();
  },
  "copy the directory": () => {
    run("cp", "-r", data, "copy");
    if (fs.readdirSync("copy").length === 0) throw new Error("nothing was copied");
  },
  "mount it elsewhere": () =>
    run("unshare", "-Urm", "sh", "-c", `mount --bind "${data}" /mnt && cat /mnt/audit.key`),
  "read the hub's memory": () => fs.closeSync(fs.openSync(proc(hub, "mem"), "r")),
  "read the hub's environment": () => reads("cat", proc(hub, "environ")),
  "read the hub's open files": () =>
    fs.readdirSync(proc(hub, "fd")).map((fd) => fs.readlinkSync(proc(hub, `fd/${fd}`))),
  "go through the hub's root": () => fs.readFileSync(join(proc(hub, "root"), at("audit.key"))),
  "read the worker's memory": () => fs.closeSync(fs.openSync(proc(worker, "mem"), "r")),
  "read the worker's environment": () => reads("cat", proc(worker, "environ")),
  "go through the worker's folder": () => fs.readdirSync(proc(worker, "cwd")),
  "signal the hub": () => signal(hub, 0),
  "wake the hub": () => signal(hub, "SIGCONT"),
  "signal the worker": () => signal(worker, 0),
  "wake the worker": () => signal(worker, "SIGCONT"),
  "read the disk it lies on": () => {
    const device = run("df", "--output=source", data).toString().split("\n")[1].trim();
    if (!device.startsWith("/dev/")) throw new Error("it lies on no disk");
    fs.closeSync(fs.openSync(device, "r"));
  },
  "read it by its handle": () =>
    run(
      "python3",
      "-c",
      `import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
handle = (ctypes.c_char * 136)(*(128).to_bytes(4, "little"))
mount = ctypes.c_int()
if libc.name_to_handle_at(-100, ${JSON.stringify(at("audit.key"))}.encode(), handle, ctypes.byref(mount), 0) != 0: sys.exit(1)
fd = libc.open_by_handle_at(os.open("/", os.O_RDONLY), handle, os.O_RDONLY)
sys.exit(0 if fd >= 0 and len(os.read(fd, 9)) > 0 else 1)`,
    ),
  "trace the hub": () =>
    run(
      "python3",
      "-c",
      `import ctypes, sys; sys.exit(0 if ctypes.CDLL(None).ptrace(16, ${hub}, 0, 0) == 0 else 1)`,
    ),
};

/** These spoil what others look for; and a hub that is stopped answers nobody. */
const SPOILS = /^(?:remove|rename|empty|put|stop|write)/;
const ordered = Object.entries(ways).sort(([a], [b]) => SPOILS.test(a) - SPOILS.test(b));
const open = [];
const hung = [];
for (const [name, way] of ordered) {
  try {
    way();
    open.push(name);
  } catch (error) {
    if (error.code === "ETIMEDOUT") hung.push(`${name}: ${error}`);
  }
}
// What a tool does all day must still work.
const works = [
  () => fs.writeFileSync("work.txt", "x"),
  () => fs.readdirSync("/"),
  () => reads("cat", "/proc/self/status"),
  () => reads("sh", "-c", "echo x; exec cat /dev/null"),
  () => fs.mkdirSync("made"),
  () => fs.renameSync("work.txt", "made/work.txt"),
];
const broken = works.flatMap((work, number) => {
  try {
    work();
    return [];
  } catch (error) {
    return [`${number}: ${error}`];
  }
});
fs.writeFileSync(
  `${log}.new`,
  JSON.stringify({
    uid: process.getuid(),
    tried: Object.keys(ways).length,
    open,
    broken: [...hung, ...broken],
  }),
);
fs.renameSync(`${log}.new`, log);
