/**
 * What a console's shell reads from a file is what was asked for: the tools of other sessions cannot change it, and a change is told. Nor
 * does what a tool puts among the console's files lead its worker elsewhere, or stop it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLandlockAbi, OLDEST_ABI } from "../../src/worker/process/landlock.js";
import { eventually } from "../support/hub-home.js";
import { cleanEnv } from "../support/real-cli/workspace.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

const noLandlock: string | null =
  notLinux ?? (readLandlockAbi() < OLDEST_ABI ? "this kernel has no Landlock that would do" : null);

/** Wherever consoles keep files. */
const FOLDERS = '"$TMP"/atlasbridge-console-* "$DATA"/consoles/*';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "atb-work-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openShell(rig: Rig, folder: string, flags: readonly string[] = []) {
  const env = {
    ...cleanEnv(folder),
    HOME: folder,
    TMPDIR: folder,
    TMP: folder,
    DATA: rig.home.paths.dataDir,
  };
  rig.run(["bash"], { label: "work", cwd: folder, env, flags: ["--console", ...flags] });
  return (command: string) => rig.home.run("send", "work", "--", command);
}

async function awaitReady(rig: Rig): Promise<void> {
  await eventually(async () => (await rig.home.run("send", "work", "--", "true")).code === 0);
}

const TRIES = `
for phase in script block; do
  while ! [ -e $phase-begun ]; do sleep 0.05; done
  for folder in ${FOLDERS}; do
    for file in "$folder"/.atlasbridge-*; do
      [ -e "$file" ] || continue
      if cat "$file" >/dev/null 2>&1; then echo "$phase was read"; fi >>tried
      if (echo 'touch pwned' >>"$file") 2>/dev/null; then echo "$phase was changed"; else echo "$phase is closed"; fi >>tried
    done
  done
  touch $phase-tried
done
read end`;
const waitFor = (phase: string): string =>
  `touch ${phase}-begun; while ! [ -e ${phase}-tried ]; do sleep 0.05; done`;

it.skipIf(skipped(noLandlock))(
  "an isolated tool reaches neither the script nor the block of another session's shell",
  () =>
    withRig((rig) =>
      inFolder(async (folder) => {
        const env = { ...cleanEnv(folder), TMP: folder, DATA: rig.home.paths.dataDir };
        rig.run(["sh", "-c", TRIES], { label: "hostile", cwd: folder, env, flags: ["--isolate"] });
        await eventually(async () => (await rig.home.run("sessions")).stdout.includes("hostile"));
        writeFileSync(join(folder, ".bashrc"), waitFor("script"));
        const send = openShell(rig, folder);
        await awaitReady(rig);
        expect(await send(`${waitFor("block")}\necho one\necho two`)).toEqual({
          code: 0,
          stdout: "one\ntwo\n",
          stderr: "",
        });
        expect(readFileSync(join(folder, "tried"), "utf8")).toBe("script is closed\nblock is closed\n");
        expect(existsSync(join(folder, "pwned"))).toBe(false);
      }),
    ),
);

it("a block whose file was changed is told", () =>
  withRig((rig) =>
    inFolder(async (folder) => {
      const send = openShell(rig, folder);
      await awaitReady(rig);
      const change = `for file in "$DATA"/consoles/*/.atlasbridge-exec-*; do echo >>"$file"; done`;
      const { code, stdout, stderr } = await send(`echo one\n${change}`);
      expect({ code, stdout, stderr }).toMatchObject({ code: 1, stdout: "one\n" });
      expect(stderr).toContain("what ran may not be what was asked for");
    }),
  ));

/** Puts a link or a pipe under every name that the files of the next commands could have. */
const plant = (make: string): string =>
  `for folder in ${FOLDERS}; do for n in $(seq 40); do for end in txt raw; do ${make} "$folder/c$n.$end" 2>/dev/null; done; done; done`;
const LONG = "seq 1 30000";
const NUMBERS = Array.from({ length: 30_000 }, (_, n) => `${n + 1}\n`).join("");

it.skipIf(skipped(noLandlock))(
  "an isolated shell reads its own blocks, and leads its worker to no closed file",
  () =>
    withRig((rig) =>
      inFolder(async (folder) => {
        const send = openShell(rig, folder, ["--isolate"]);
        await awaitReady(rig);
        const before = readFileSync(rig.home.paths.config, "utf8");
        await send(plant('ln -s "$DATA/config.yaml"'));
        expect(await send("echo one\necho two")).toEqual({ code: 0, stdout: "one\ntwo\n", stderr: "" });
        expect(await send(LONG)).toEqual({ code: 0, stdout: NUMBERS, stderr: "" });
        expect(await send(`echo X > "$DATA/config.yaml"`)).toMatchObject({ code: 1 });
        expect(await send(`touch "$DATA"/consoles/*/new`)).toMatchObject({ code: 1 });
        expect(readFileSync(rig.home.paths.config, "utf8")).toBe(before);
      }),
    ),
);

it("a pipe among the files of a console stops nobody", () =>
  withRig((rig) =>
    inFolder(async (folder) => {
      const send = openShell(rig, folder);
      await awaitReady(rig);
      await send(plant("mkfifo"));
      expect(await send(LONG)).toEqual({ code: 0, stdout: NUMBERS, stderr: "" });
    }),
  ));
