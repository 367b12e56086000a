/**
 * `run --events FD` tells a program what happens in a session, on a descriptor that it opened, and no reader of it can disturb the
 * tool. A descriptor that cannot be written is an error before the tool starts.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, finished, HubHome, MAIN, type Finished } from "../support/hub-home.js";

type Event = { type: string } & Record<string, unknown>;

interface Place {
  readonly home: HubHome;
  /** A file in the home. */
  readonly path: (name: string) => string;
  /** Our command line in a shell of the user's, with its redirections. */
  readonly shell: (line: string) => ChildProcess;
  readonly events: () => Event[];
}

async function withTool(script: string, work: (place: Place) => Promise<void>): Promise<void> {
  const home = new HubHome();
  const path = (name: string): string => join(home.folder, name);
  writeFileSync(path("asks"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const shell: Place["shell"] = (line) =>
    spawn("bash", ["-c", line.replaceAll("atlasbridge", `"${process.execPath}" "${MAIN}"`)], {
      cwd: home.folder,
      env: home.env,
    });
  const read = (): string => (existsSync(path("events")) ? readFileSync(path("events"), "utf8") : "");
  const events = (): Event[] =>
    read()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Event);
  try {
    await work({ home, path, shell, events });
  } finally {
    await home.close();
  }
}

// In two parts, so that no scanner of repositories takes it for a real one.
const TOKEN = ["ghp", "x7Kd0Rq2LmZt9VbN4cWy8HsJ1pEg5UaF3oQi"].join("_");
const ASKS = "printf 'Ready to push? [y/N] '; read answer; echo \"got $answer\"; exit 3";

const run = ({ shell }: Place, flags: string): Promise<Finished> =>
  finished(shell(`atlasbridge run ${flags}`));

describe.concurrent("the events of a session", () => {
  it("name its prompts, the answers and its end", () =>
    withTool(ASKS, async ({ home, shell, events }) => {
      const child = shell("atlasbridge run --events 3 ./asks 3>events");
      const find = (type: string): Event | undefined => events().find((event) => event.type === type);
      await eventually(() => find("asked") !== undefined);
      const id = String(find("asked")?.["prompt_id"]);
      expect(find("asked")).toMatchObject({
        prompt_type: "yes_no",
      });
      expect(find("asked")?.["question"]).toContain("to push?");
      const listed = () => home.data<{ shortId: string }[]>("prompts");
      await eventually(async () => (await listed()).length === 1);
      const [prompt] = await listed();
      expect((await home.run("answer", prompt?.shortId ?? "", "y")).code).toBe(0);
      expect(await finished(child)).toMatchObject({ code: 3 });
      const all = events();
      expect(all[0]).toMatchObject({ type: "started", tool: "asks" });
      expect(find("answered")).toMatchObject({ prompt_id: id, outcome: "answered" });
      expect(all.filter(({ type }) => type === "state").map(({ state }) => state)).toContain("waiting");
      expect(all.at(-1)).toEqual({ type: "exit", exit_code: 3, signal: null });
    }));

  it("hold no secrets", () =>
    withTool(`printf 'Use ${TOKEN} to push? [y/N] '; read answer`, async ({ shell, events }) => {
      const child = shell("exec atlasbridge run --no-relay --events 3 ./asks 3>events");
      await eventually(() => events().some(({ type }) => type === "asked"));
      child.kill("SIGTERM");
      await finished(child);
      expect(events().find(({ type }) => type === "asked")?.["hidden_characters"]).not.toBe(0);
      expect(JSON.stringify(events())).not.toContain(TOKEN);
      expect(events().at(-1)?.type).toBe("exit");
    }));

  it("are told without a hub, too, and to a pipe", () =>
    withTool("exit 3", async (place) => {
      expect(await run(place, "--no-relay --events 7 ./asks 7> >(cat >events)")).toMatchObject({ code: 3 });
      await eventually(() => place.events().at(-1)?.type === "exit");
      expect(place.events()[0]?.type).toBe("started");
    }));

  it("need a descriptor that is open for writing; else nothing is started", () =>
    withTool("touch started", async (place) => {
      for (const [flags, problem] of [
        ["--events 9 ./asks", "file descriptor 9 is not open ("],
        ["--events 3 ./asks", "file descriptor 3 is not open ("],
        ["--events 3 ./asks 3</dev/null", "file descriptor 3 is not open for writing"],
        ["--events 1 ./asks", "a whole number from 3"],
      ] as const) {
        const { code, stderr } = await run(place, `--no-relay ${flags}`);
        expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
      }
      expect(existsSync(place.path("started"))).toBe(false);
    }));

  it("may have a reader that is gone or never reads: the tool does not notice", () =>
    withTool("echo here; exit 7", async (place) => {
      for (const reader of ["3> >(exec true)", "3> >(exec sleep 5)"]) {
        const { code, stdout } = await run(place, `--no-relay --events 3 ./asks ${reader}`);
        expect([code, stdout]).toEqual([7, expect.stringContaining("here")]);
      }
    }));
});
