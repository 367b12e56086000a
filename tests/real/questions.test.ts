/**
 * Questions of the world's programs, each asked by the real program in a terminal and answered once from outside: what the program did then.
 * Debian's packages are installed (as root), those of npm into a temporary folder; what cannot be had is skipped by name.
 */
import { makeFileFolder } from "../support/temporary-folder.js";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { notInstalled } from "../support/skipped.js";

interface OpenPrompt {
  readonly shortId: string;
  readonly type: string;
  readonly choices?: readonly { readonly label: string }[];
}

interface Case {
  /** Debian's package and its command, or null: the program comes from npm, or is there. */
  readonly debian?: readonly [packageName: string, command: string];
  /** What a shell runs in an empty folder; `$MODULES` is where npm's packages are. */
  readonly script: string;
  readonly npm?: readonly string[];
  /** Each answer, and the labels that must be offered for it (as far as they are said). */
  readonly answers: readonly (readonly [value: string, ...labels: RegExp[]])[];
  /** What stands on the screen in the end. */
  readonly shows: RegExp;
}

const GIT = "git init -q .; git config user.email a@example.org; git config user.name a; ";
const HG =
  "export HGPLAIN= HGUSER=a; hg init r; cd r; printf 'a\\n' > f; hg commit -qAm 1; printf 'b\\n' > f; ";
const ask = (library: string, code: string): string =>
  `cat > ask.mjs <<'END'\n${library}\nconst got = await ${code};\nconsole.log("GOT", JSON.stringify(got));\nEND\nln -s "$MODULES" node_modules; exec node ask.mjs`;
const THREE = `["one", "two", "three"]`;
const CHANGESETS = `mkdir -p packages/a packages/b packages/c .changeset
echo '{"name":"root","private":true,"workspaces":["packages/*"]}' > package.json
for p in a b c; do echo "{\\"name\\":\\"$p\\",\\"version\\":\\"1.0.0\\"}" > packages/$p/package.json; done
echo '{"baseBranch":"main"}' > .changeset/config.json; ${GIT}git add -A; git commit -qm 1; git branch -M main
exec node "$MODULES/@changesets/cli/bin.js" add`;
const DRIZZLE = `ln -s "$MODULES" node_modules
table() { echo "const { sqliteTable, text } = require('drizzle-orm/sqlite-core'); exports.p = sqliteTable('p', { $1: text('$1') });" > s.js; }
kit() { "$@" node "$MODULES/drizzle-kit/bin.cjs" generate --dialect sqlite --schema s.js --out out; }
table old; kit command > /dev/null; table fresh; exec node "$MODULES/drizzle-kit/bin.cjs" generate --dialect sqlite --schema s.js --out out`;

const CASES: Readonly<Record<string, Case>> = {
  parted: {
    debian: ["parted", "parted"],
    script: "truncate -s 8M d; /sbin/parted -s d mklabel gpt; exec /sbin/parted ./d mklabel msdos",
    answers: [["2", /yes/i, /no/i]],
    shows: /Yes\/No\? n/i,
  },
  e2fsck: {
    debian: ["e2fsprogs", "e2fsck"],
    script:
      "truncate -s 8M d; /sbin/mke2fs -q d; /sbin/debugfs -w -R 'clri <12>' d; /sbin/debugfs -w -R 'set_super_value free_blocks_count 1' d; exec /sbin/e2fsck -f d",
    answers: [["2", /y/i, /n/i]],
    shows: /\? no/,
  },
  "hg commit -i": {
    debian: ["mercurial", "hg"],
    script: `${HG}exec hg --config ui.interface=text commit -i -m 2`,
    answers: [["2", /^Y$/, /^n$/, /^e$/]],
    shows: /no changes to record|nothing changed/,
  },
  svn: {
    debian: ["subversion", "svn"],
    script: `svnadmin create r; u=file://$PWD/r; svn co -q $u a; cd a; echo 1 > f; svn add -q f; svn ci -qm 1; svn co -q $u ../b
cd ../b; echo 2 > f; svn ci -qm 2; cd ../a; echo 3 > f; exec svn update`,
    answers: [["1", /^Postpone$/, /^Show diff$/, /^Edit file$/, /^Merge$/, /^Show all options$/]],
    shows: /all options: p\nSummary of conflicts/,
  },
  "apt in German": {
    debian: ["locales", "locale-gen"],
    script:
      "localedef -i de_DE -f UTF-8 de_DE.UTF-8; exec env LC_ALL=de_DE.UTF-8 apt-get remove -o Debug::pkgDPkgPM=1 locales",
    answers: [["n", /^Yes$/, /^No$/]],
    shows: /\[J\/n\] n\nAbbruch/,
  },
  aptitude: {
    debian: ["aptitude", "aptitude"],
    script: "exec aptitude -P install cowsay",
    answers: [["2", /^Y$/, /^n$/, /^\?$/]],
    shows: /Abort/i,
  },
  "gpg trust": {
    debian: ["gnupg", "gpg"],
    script: `mkdir -m 700 g; export GNUPGHOME=$PWD/g; gpg -q --batch --passphrase '' --quick-gen-key a@example.org
exec gpg --edit-key a@example.org trust`,
    answers: [["5", /know/, /NOT/i, /marginally/, /fully/, /ultimately/]],
    shows: /really want to set this key to ultimate/,
  },
  "update-alternatives": {
    script: `echo > e1; echo > e2; mkdir l; A="--altdir $PWD/l --admindir $PWD/l"
for n in 1 2; do update-alternatives $A --quiet --install $PWD/link ed $PWD/e$n $n; done; exec update-alternatives $A --config ed`,
    answers: [["2", /e2 +2 +auto mode$/, /e1 +1 +manual mode$/, /e2 +2 +manual mode$/]],
    shows: /using .*\/e1 to provide/,
  },
  "fzf -m": {
    debian: ["fzf", "fzf"],
    script: "seq 1 5 | fzf -m",
    answers: [["1,3", /^1$/, /^2$/, /^3$/]],
    shows: /^1\n3$/m,
  },
  "fzf -m --reverse": {
    debian: ["fzf", "fzf"],
    script: "seq 1 5 | fzf -m --reverse",
    answers: [["2,5"]],
    shows: /^2\n5$/m,
  },
  "vim below git commit": {
    debian: ["vim", "vim"],
    script: `${GIT}echo 1 > f; git add f; printf 'b0VIM 9.0\\0\\0\\0\\0\\0\\020\\0\\0' > .git/.COMMIT_EDITMSG.swp
GIT_EDITOR='vim -Nu NONE' git commit; true`,
    answers: [["5", /Open Read-Only/i, /Edit anyway/, /Recover/, /Delete it/, /Quit/]],
    shows: /problem with the editor/i,
  },
  gh: {
    debian: ["gh", "gh"],
    script: "export GH_CONFIG_DIR=$PWD; unset GH_TOKEN GITHUB_TOKEN; exec gh auth login",
    answers: [["1", /GitHub\.com/], ["2", /HTTPS/, /SSH/], ["n"]],
    shows: /log into\? GitHub\.com\n.*operations\? SSH/,
  },
  whiptail: {
    debian: ["whiptail", "whiptail"],
    script: "whiptail --menu Pick 12 40 3 a one b two c three 2>got; clear; echo GOT $(cat got)",
    answers: [["3", /one/, /two/, /three/]],
    shows: /GOT c/,
  },
  dialog: {
    debian: ["dialog", "dialog"],
    script: "dialog --menu Pick 12 40 3 a one b two c three 2>got; clear; echo GOT $(cat got)",
    answers: [["2", /one/, /two/, /three/]],
    shows: /GOT b/,
  },
  changesets: {
    npm: ["@changesets/cli@2.31.1"],
    script: CHANGESETS,
    answers: [["2,3", /unchanged packages/, /^a$/, /^b$/]],
    shows: /include\? · a, b/,
  },
  "drizzle-kit": {
    npm: ["drizzle-kit@0.31.11", "drizzle-orm"],
    script: DRIZZLE,
    answers: [["2", /create column/, /rename column/]],
    shows: /column will be renamed/,
  },
  "inquirer with a disabled row": {
    npm: ["@inquirer/prompts@8.7.5"],
    script: ask(
      `import { select } from "@inquirer/prompts";`,
      `select({ message: "Pick", choices: ["one", { name: "two", value: 2, disabled: true }, "three"] })`,
    ),
    answers: [["2", /^one$/, /^three$/]],
    shows: /GOT "three"/,
  },
  "prompts, twice": {
    npm: ["prompts@2.4.2"],
    script: ask(
      `import prompts from "prompts"; const choices = [{ title: "Yes" }, { title: "No" }];`,
      `prompts([1, 2].map((n) => ({ type: "select", name: "v" + n, message: "Apply?", choices, initial: 1 })))`,
    ),
    answers: [["1"], ["2"]],
    shows: /GOT \{"v1":0,"v2":1\}/,
  },
  "clack, two at once": {
    npm: ["@clack/prompts@1.9.0"],
    script: ask(
      `import { select } from "@clack/prompts"; const options = ${THREE}.map((value) => ({ value, label: value }));`,
      `[await select({ message: "First", options }), await select({ message: "Second", options })]`,
    ),
    answers: [["2"], ["3"]],
    shows: /GOT \["two","three"\]/,
  },
  "enquirer, two ticks": {
    npm: ["enquirer@2.4.1"],
    script: ask(
      `import enquirer from "enquirer";`,
      `enquirer.prompt({ type: "multiselect", name: "v", message: "Pick", choices: ${THREE} })`,
    ),
    answers: [["1,3"]],
    shows: /GOT \{"v":\["one","three"\]\}/,
  },
};

const INSTALL_WITHIN_MS = 300_000;
const modules = makeFileFolder("questions");

/** Why the program cannot be had, or null. */
function install({ debian, npm }: Case): string | null {
  const quietly = { stdio: "ignore", timeout: INSTALL_WITHIN_MS } as const;
  try {
    const isMissing = debian !== undefined && notInstalled(debian[1]) !== null;
    if (isMissing)
      execFileSync("apt-get", ["install", "-y", debian[0]], {
        ...quietly,
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    if (npm) execFileSync("npm", ["install", "--prefix", modules, "--no-audit", ...npm], quietly);
    return null;
  } catch {
    return `cannot be installed: ${debian?.[0] ?? npm?.join(" ")}`;
  }
}

async function answer(home: HubHome, [value, ...labels]: Case["answers"][number], done: Set<string>) {
  const prompt = await eventually(async () => {
    const open = await home.data<OpenPrompt[]>("prompts").catch(() => []);
    return open.find(({ shortId }) => !done.has(shortId)) ?? null;
  });
  done.add(prompt.shortId);
  const offered = (prompt.choices ?? []).map(({ label }) => label);
  labels.forEach((label, at) => expect(offered[at], `${prompt.type}: ${offered.join(", ")}`).toMatch(label));
  const { stdout, stderr } = await home.run("answer", prompt.shortId, value, "--wait");
  expect(stdout + stderr).toMatch(/, confirmed/);
}

describe("a question of", () => {
  it.for(Object.entries(CASES))("%s", async ([name, asked], { skip }) => {
    const missing = install(asked);
    if (missing !== null) console.warn(`skipped: ${name}: ${missing}`);
    if (missing !== null) skip(missing);
    const home = new HubHome();
    const folder = mkdtempSync(join(tmpdir(), "asked-"));
    const file = join(folder, ".ask.sh");
    writeFileSync(file, `cd ${folder}\n${asked.script}\n`);
    const env = {
      ...home.env,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      MODULES: join(modules, "node_modules"),
    };
    const args = [MAIN, "run", "--quiet", "bash", file];
    const terminal = new RealTerminal(
      { file: process.execPath, args, cwd: folder, env },
      { cols: 100, rows: 30 },
    );
    const done = new Set<string>();
    try {
      for (const each of asked.answers) await answer(home, each, done);
      await eventually(() => (asked.shows.test(terminal.screen.replace(/\n+$/, "")) ? true : null));
    } catch (error) {
      throw new Error(`${String(error)}\n${terminal.screen.trimEnd()}`, { cause: error });
    } finally {
      await terminal.close();
      await home.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
