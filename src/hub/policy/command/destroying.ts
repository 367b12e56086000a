/** Simple commands that destroy data for good. A word that is known only when the command runs may be any word. Pure. */
import { readGitCommand } from "./git-command.js";
import { getBaseName, isInterpreter } from "./inner-programs.js";
import { SHELLS } from "../../../model/data/shells.js";

export type Words = readonly (string | null)[];

export function mayDestroy([program, ...args]: Words): boolean {
  const name = getBaseName(program ?? "");
  const known = args.filter((word) => word !== null);
  if (ALWAYS.has(name) || name.startsWith("mkfs")) return true;
  if (known.some((word) => DATABASE_TASK.test(word))) return true;
  if (isInterpreter(name) && (known.some((word) => CODE.test(word)) || isScriptDestructive(args)))
    return true;
  if (MANAGERS.has(name) && known.some((word) => DELETING.test(word))) return true;
  return Object.hasOwn(PROGRAMS, name) && PROGRAMS[name]?.(known, args) === true;
}

function isScriptDestructive([script, ...args]: Words): boolean {
  const name = getBaseName(script ?? "");
  return Object.hasOwn(PROGRAMS, name) && mayDestroy([name, ...args]);
}

/** A shell without a script: it runs its input. */
export function readsCommands([program, ...args]: Words): boolean {
  const isScript = (word: string | null): boolean =>
    word?.startsWith("-") !== true || /^-[a-z]*c$/.test(word);
  return SHELLS.has(getBaseName(program ?? "")) && !args.some(isScript) && !args.includes("--version");
}

const ALWAYS: ReadonlySet<string> = new Set(
  (
    "truncate shred srm wipefs fdisk sfdisk cfdisk gdisk sgdisk parted mkswap mke2fs blkdiscard badblocks shutdown reboot halt poweroff " +
    "dropdb dropuser userdel groupdel lvremove vgremove pvremove rimraf del erase rd remove-item"
  ).split(" "),
);

const DATABASE_TASK = /^(?:db:(?:drop|reset|purge|wipe|truncate)|migrate:(?:fresh|refresh|reset))(?::|$)/;
const CODE =
  /\b(?:rmtree|unlink|unlinkSync|rmSync|rmdirSync|rm_rf|rm_r|removeSync|removedirs)\b|\bos\.remove\b|\bfs(?:\/promises)?\.rm\b/;

/** They keep things elsewhere; a word of theirs deletes. */
const MANAGERS: ReadonlySet<string> = new Set(
  (
    "kubectl oc helm terraform tofu pulumi cdk sam serverless sls vagrant gh glab aws gcloud gsutil az doctl fly flyctl heroku oci hcloud " +
    "linode-cli ibmcloud nomad consul vault etcdctl rclone s3cmd s5cmd mc restic borg zfs zpool btrfs lxc incus virsh supabase vercel " +
    "netlify firebase wrangler railway neonctl pscale eksctl minikube kind k3d docker podman nerdctl svn prisma gpg cryptsetup nvme diskutil"
  ).split(" "),
);
const DELETING =
  /^(?:.*:)?(?:delete|destroy|remove|purge|drop|rm|rmi|rb|rd|undefine|prune|forget|erase|wipe|uninstall|unpublish|drain|down|reset|format|luksformat|luksErase)$|^(?:delete|destroy|terminate|purge|remove|erase|zeroDisk|secureErase|partitionDisk|luks)-?|^-{1,2}(?:destroy|delete)|^(?:-X|--method=)DELETE$|^--replicas=0$/i;

type ArgumentsCheck = (known: readonly string[], all: Words) => boolean;

const removesMany: ArgumentsCheck = (known) => known.some((word) => REMOVERS.has(getBaseName(word)));
const REMOVERS: ReadonlySet<string> = new Set(["rm", "unlink", "shred", "srm", "rmdir", "truncate"]);

const PROGRAMS: Readonly<Record<string, ArgumentsCheck>> = {
  // A wildcard, or an option that a variable holds.
  rm: (known, all) => all.includes(null) || hasFlag(known, "rRf", ["recursive", "force"]),
  git: (_, all) => isGitDestructive(all),
  find: (known) => known.includes("-delete") || removesMany(known, known),
  fd: removesMany,
  fdfind: removesMany,
  xargs: removesMany,
  parallel: removesMany,
  dd: (known) => known.some((word) => word.startsWith("of=")),
  tee: (known) => known.some(isDevice),
  cp: (known) => known[0] === "/dev/null" || known.slice(1).some(isDevice),
  tar: (known) => hasFlag(known, "", ["remove-files"]),
  chmod: (known) => hasFlag(known, "R", ["recursive"]),
  chown: (known) => hasFlag(known, "R", ["recursive"]),
  chgrp: (known) => hasFlag(known, "R", ["recursive"]),
  setfacl: (known) => hasFlag(known, "R", ["recursive"]),
  rsync: (known) => known.some((word) => /^--(?:del|remove-s)/.test(word)),
  crontab: (known) => hasFlag(known, "r", []),
  systemctl: (known) => known.some((word) => /^(?:poweroff|reboot|halt|kexec)$/.test(word)),
  npm: (known) => known.some((word) => /^unpub/.test(word)),
  pnpm: (known) => known.includes("unpublish"),
  cargo: (known) => known.includes("yank"),
  gem: (known) => known.includes("yank"),
  "redis-cli": (known) => known.some((word) => /^(?:flushall|flushdb|del|unlink|shutdown)$/i.test(word)),
  mongo: (known) => known.some((word) => MONGO.test(word)),
  mongosh: (known) => known.some((word) => MONGO.test(word)),
  mysqladmin: (known) => known.includes("drop"),
  manage: (known) => known.some((word) => /^(?:flush|reset_db|sqlflush)$/.test(word)),
  "manage.py": (known) => known.some((word) => /^(?:flush|reset_db|sqlflush)$/.test(word)),
};

const MONGO = /\bdrop(?:Database|Index|Indexes|Collection|User)?\s*\(|\b(?:deleteMany|deleteOne|remove)\s*\(/;

/** A disk, not a file in its directory. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(?!(?:null|zero|tty|stdin|stdout|stderr|fd\/\d+|full|u?random)$)/.test(path);
}

function isGitDestructive(args: Words): boolean {
  const { command, rest: all } = readGitCommand(args);
  if (command === null) return true;
  const rest = all.filter((word) => word !== null);
  const plain = rest.filter((word) => !word.startsWith("-"));
  switch (command ?? "") {
    case "push":
      return (
        hasFlag(rest, "fd", ["force", "force-with-lease", "delete", "mirror", "prune"]) ||
        rest.some((word) => /^--force/.test(word) || /^\+?:./.test(word) || /^\+./.test(word))
      );
    case "reset":
      return hasFlag(rest, "", ["hard"]);
    case "clean":
      return hasFlag(rest, "f", ["force"]);
    case "branch":
      return hasFlag(rest, "DdMf", ["delete", "force"]);
    case "tag":
      return hasFlag(rest, "df", ["delete", "force"]);
    case "checkout":
      return isOverwriting(rest, plain);
    case "switch":
      return hasFlag(rest, "f", ["force", "discard-changes"]);
    case "restore":
      return !hasFlag(rest, "S", ["staged"]) || hasFlag(rest, "W", ["worktree"]);
    case "stash":
      return plain[0] === "drop" || plain[0] === "clear";
    case "rm":
      return hasFlag(rest, "f", ["force"]);
    case "worktree":
      return plain[0] === "remove";
    case "submodule":
      return plain[0] === "deinit";
    case "reflog":
      return plain[0] === "expire" || plain[0] === "delete";
    case "update-ref":
      return hasFlag(rest, "d", ["delete"]);
    case "gc":
      return hasFlag(rest, "", ["prune"]);
    case "lfs":
      return plain[0] === "prune";
    default:
      return ["filter-branch", "filter-repo", "prune", "prune-packed", "replace"].includes(command ?? "");
  }
}

/** Whether `checkout` restores files, whose present content is then lost, instead of changing the branch. */
function isOverwriting(rest: readonly string[], plain: readonly string[]): boolean {
  const isNewBranch = hasFlag(rest, "bBt", ["orphan", "track"]);
  return (
    rest.some((word) => word === "--" || word === "." || word === "./") ||
    hasFlag(rest, "f", ["force"]) ||
    (plain.length > 1 && !isNewBranch)
  );
}

/** A letter in a cluster of short options, or a long option, which may be abbreviated. */
function hasFlag(args: readonly string[], letters: string, long: readonly string[]): boolean {
  return args.some((word) => {
    const name = /^--([^=]+)/.exec(word)?.[1];
    if (name !== undefined) return long.some((each) => each.startsWith(name));
    return /^-[A-Za-z]+$/.test(word) && [...word.slice(1)].some((letter) => letters.includes(letter));
  });
}
