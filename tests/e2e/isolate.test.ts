/**
 * `run --isolate` closes the ledger, the keys, the tokens and linked configuration files to the tool. The tool works otherwise,
 * and is not started where its isolation cannot be complete.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLandlockAbi, OLDEST_ABI } from "../../src/worker/process/landlock.js";
import { finished, MAIN } from "../support/hub-home.js";
import { cleanEnv } from "../support/real-cli/workspace.js";
import { withRig } from "../support/rig/rig.js";
import { COMMAND, COPILOT_COMMAND, startTeller } from "../support/rig/teller.js";
import { notLinux, skipped } from "../support/skipped.js";

const noLandlock: string | null =
  notLinux ?? (readLandlockAbi() < OLDEST_ABI ? "this kernel has no Landlock that would do" : null);

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "atb-work-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ASKS = `
printf 'name=%s options=%s args=%s\\n' "$0" "$NODE_OPTIONS" "$*"
cat "$ATLASBRIDGE_HOME/config.yaml" 2>/dev/null || echo closed
printf 'Delete everything? [y/N] '
read answer
echo "typed=$answer"
"$1" "$2" run sh -c 'echo inner=$?' 2>&1
exit 7`;

it.skipIf(skipped(noLandlock))(
  "an isolated tool starts as it was typed, is answered from the phone, and keeps its exit code",
  () =>
    withRig((rig) =>
      inFolder(async (cwd) => {
        const env = { ...cleanEnv(cwd), NODE_OPTIONS: "--no-warnings" };
        const run = rig.run(["sh", "-c", ASKS, "asker", process.execPath, MAIN], {
          cwd,
          env,
          flags: ["--isolate"],
        });
        const card = await run.card();
        await card.press(1);
        expect(await run.exited).toBe(7);
        expect(run.text).toContain(
          "isolated: the ledger, the configuration and the keys are closed to the tool",
        );
        expect(run.text).toContain(`name=asker options=--no-warnings args=${process.execPath}`);
        expect(run.text).toContain("closed");
        expect(run.text).toContain("typed=y");
        expect(run.text).toMatch(/not relayed: .*config\.yaml/);
        expect(run.text).toContain("inner=0");
      }),
    ),
);

it.skipIf(skipped(noLandlock))("a tool is not started in a folder that is closed to it", () =>
  withRig(async (rig) => {
    const { code, stderr } = await rig.home.run("run", "--isolate", "--cwd", rig.home.folder, "true");
    expect(code).toBe(3);
    expect(stderr).toContain("which --isolate closes");
  }),
);

it.skipIf(skipped(noLandlock))("an isolated tool reads the plugin with its hooks", () =>
  withRig((rig) =>
    inFolder(async (folder) => {
      const flags = ["--isolate"];
      const told = { words: "", tool: "copilot", command: COPILOT_COMMAND } as const;
      const card = await (await startTeller(rig, { ...told, folder, flags })).card();
      expect(card.content).toContain(COPILOT_COMMAND);
    }),
  ),
);

it.skipIf(skipped(noLandlock))("hooks of an isolated tool bring its whole question and its last words", () =>
  withRig((rig) =>
    inFolder(async (folder) => {
      const words = "It is done.\n\nShall I go on?";
      const tool = await startTeller(rig, { words, folder, flags: ["--isolate"] });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(false);
      expect(card.content).toContain(COMMAND);
      await tool.pressWithNumber(card, 1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
      expect(await rig.phone.notice(/asks a question in its last message/)).toContain(words);
    }),
  ),
);

it.skipIf(skipped(noLandlock))(
  "a configuration that is a link to a file elsewhere is closed there, too",
  () =>
    withRig((rig) =>
      inFolder(async (cwd) => {
        const elsewhere = join(cwd, "dotfile.yaml");
        renameSync(rig.home.paths.config, elsewhere);
        symlinkSync(elsewhere, rig.home.paths.config);
        const shown = await rig.home.run("run", "--isolate", "--cwd", tmpdir(), "cat", elsewhere);
        expect(shown.stdout).toContain("Permission denied");
        expect(shown.code).toBe(1);
      }),
    ),
);

it.skipIf(skipped(noLandlock))(
  "rules, adapter files and whole folders that are links are closed where they lead, over every link on the way",
  () =>
    withRig((rig) =>
      inFolder(async (folder) => {
        const dotfiles = join(folder, "dotfiles");
        mkdirSync(join(dotfiles, "scenarios"), { recursive: true });
        const { policy, adaptersDir, scenariosDir } = rig.home.paths;
        mkdirSync(adaptersDir);
        const put = (path: string): void => writeFileSync(join(dotfiles, path), "mine\n");
        for (const path of ["policy.yaml", "zz.yaml", "deep.yaml", "scenarios/one.yaml"]) put(path);
        symlinkSync(join(dotfiles, "policy.yaml"), policy);
        symlinkSync(join(dotfiles, "zz.yaml"), join(adaptersDir, "zz.yaml"));
        symlinkSync(join(dotfiles, "scenarios"), scenariosDir);
        // A link that leads over another one, in a folder where the tool could replace it.
        const between = join(folder, "between");
        mkdirSync(between);
        symlinkSync(join(dotfiles, "deep.yaml"), join(between, "hop"));
        symlinkSync(join(between, "hop"), join(adaptersDir, "deep.yaml"));
        symlinkSync(dotfiles, join(folder, "stow"));
        symlinkSync(join(folder, "stow/zz.yaml"), join(adaptersDir, "over.yaml"));
        const tries = `
          for file in ${policy} ${adaptersDir}/zz.yaml ${adaptersDir}/deep.yaml ${scenariosDir}/one.yaml; do
            cat $file 2>/dev/null && echo READ $file
            echo "#tool" >> $file && echo WROTE $file
          done
          rm -f ${between}/hop ${folder}/stow 2>/dev/null
          ls -d ${between}/hop ${folder}/stow`;
        const { stdout, stderr } = await rig.home.run(
          ...["run", "--isolate", "--cwd", tmpdir(), "sh", "-c", tries],
        );
        expect(stdout + stderr).not.toMatch(/READ|WROTE/);
        expect(stdout).toContain(join(between, "hop"));
        expect(stdout).toContain(join(folder, "stow"));
        expect(readFileSync(join(dotfiles, "policy.yaml"), "utf8")).toBe("mine\n");
      }),
    ),
);

it.skipIf(skipped(noLandlock))("a tool is not started while a link of the configuration leads nowhere", () =>
  withRig((rig) =>
    inFolder(async (folder) => {
      symlinkSync(join(folder, "gone.yaml"), rig.home.paths.policy);
      const { code, stdout, stderr } = await rig.home.run("run", "--isolate", "echo", "started");
      expect(code).toBe(3);
      expect(stderr).toContain(`the link ${rig.home.paths.policy} leads nowhere`);
      expect(stdout).not.toContain("started");
    }),
  ),
);

it.skipIf(skipped(noLandlock)).each([["prompts"], ["status"]])(
  "`%s` inside an isolated tool says why it gets no data",
  (command) =>
    withRig(async (rig) => {
      await rig.home.run("hub", "start");
      const inner = [process.execPath, MAIN, command];
      const { code, stdout } = await rig.home.run("run", "--isolate", "--cwd", tmpdir(), ...inner);
      expect(code).toBe(6);
      expect(stdout).toContain("this program is isolated and cannot use the hub (ATB_SUPERVISED)");
    }),
);

it.skipIf(skipped(noLandlock))(
  "a tool is not started where the files that hold secrets cannot be determined",
  () =>
    withRig(async (rig) => {
      writeFileSync(rig.home.paths.config, "channels: [\n");
      const { code, stdout, stderr } = await rig.home.run("run", "--isolate", "echo", "started");
      expect(code).toBe(2);
      expect(stderr).toContain("config.yaml");
      expect(stdout).not.toContain("started");
    }),
);

it.skipIf(skipped(noLandlock))("a run that may open too few files starts no tool outside its isolation", () =>
  withRig(async (rig) => {
    const few = 'ulimit -n 25; exec "$0" "$@"';
    const words = ["-c", few, process.execPath, MAIN, "run", "--isolate", "echo", "started"];
    const { code, stdout, stderr } = await finished(spawn("sh", words, { env: rig.home.env }));
    expect(code).toBe(3);
    expect(stderr).toContain("leave --isolate out");
    expect(stdout).not.toContain("started");
  }),
);

it.skipIf(skipped(noLandlock))(
  "a tool of unknown version is not started outside its isolation to ask for its version",
  () =>
    withRig((rig) =>
      inFolder(async (cwd) => {
        const [tool, calls] = [join(cwd, "qwen"), join(cwd, "calls")];
        writeFileSync(tool, `#!/bin/sh\necho "called: $*" >> '${calls}'\n`);
        chmodSync(tool, 0o700);
        const { code } = await rig.home.run("run", "--isolate", "--cwd", cwd, tool, "work");
        expect(code).toBe(0);
        expect(readFileSync(calls, "utf8")).toBe("called: work\n");
      }),
    ),
);
