/** Grants with a real hub: as many uses as a person gave and never one more, from two sessions and with a hub that is killed; and the commands. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import type { ListedPrompt } from "../../src/wire/listings.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { commandPrompt } from "../support/policy/policies.js";

let home: HubHome;
const workers: FakeWorker[] = [];

beforeEach(() => {
  home = new HubHome();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.close();
  await home.close();
});

async function open(label: string): Promise<FakeWorker> {
  const worker = new FakeWorker(home.paths, { label });
  workers.push(worker);
  await eventually(() => worker.link.state === "connected");
  return worker;
}

function command(line: string): Partial<PromptEvent> {
  const { content, safetyClass, choices, constraints } = commandPrompt(line);
  return { content, safetyClass, choices, constraints };
}

const listed = () => home.data<ListedPrompt[]>("prompts", "--all");

/** As a worker does: the same prompt again until a hub has it. */
async function raiseForSure(worker: FakeWorker, line: string): Promise<string> {
  const ids = { promptId: asId(randomUUID()), idempotencyKey: asId(randomUUID()) } as Partial<PromptEvent>;
  for (;;) {
    try {
      return await worker.raise({ ...command(line), ...ids });
    } catch {
      await eventually(() => worker.link.state === "connected");
    }
  }
}

/** Answers of grants, each prompt once. */
function countUses(...users: readonly FakeWorker[]): number {
  const own = users.flatMap(({ replies }) =>
    replies.filter((reply) => reply.channelIdentity === "auto:policy"),
  );
  return new Set(own.map(({ promptId }) => promptId)).size;
}

it("gives exactly its uses to two sessions while the hub is killed again and again", async () => {
  const [one, two] = [await open("one"), await open("two")];
  const shortId = await one.raise(command("npm test"));
  const answered = await home.run("answer", shortId, "1", "--for", "8x 1h anywhere");
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining("Grant g1") as string });
  const raising = [one, two].map(async (worker) => {
    for (let n = 0; n < 9; n += 1) await raiseForSure(worker, "npm test");
  });
  for (const uses of [2, 5, 7]) {
    await eventually(() => countUses(one, two) >= uses);
    process.kill(await eventually(() => home.hubPid()), "SIGKILL");
  }
  await Promise.all(raising);
  const isDone = async () => {
    const prompts = await listed();
    return prompts.length === 19 && prompts.every(({ state }) => state !== "detected");
  };
  await eventually(() => isDone().catch(() => false));
  expect((await listed()).filter(({ state }) => state === "pending")).toHaveLength(10);
  expect(countUses(one, two)).toBe(8);
  expect((await home.run("audit", "verify")).code).toBe(0);
});

it("a rule answers as often as its max and never once more while the hub is killed again and again", async () => {
  const rule = "  - { id: tests, match: { command: [npm test] }, answer: allow_once, max: 6 }\n";
  writeFileSync(home.paths.policy, `version: 1\nmode: full\nrules:\n${rule}`);
  const worker = await open("one");
  const raising = (async () => {
    for (let n = 0; n < 10; n += 1) await raiseForSure(worker, "npm test");
  })();
  for (const uses of [1, 3, 5]) {
    await eventually(() => countUses(worker) >= uses);
    process.kill(await eventually(() => home.hubPid()), "SIGKILL");
  }
  await raising;
  const isDone = async () => {
    const prompts = await listed();
    return prompts.length === 10 && prompts.every(({ state }) => state !== "detected");
  };
  await eventually(() => isDone().catch(() => false));
  expect((await listed()).filter(({ state }) => state === "pending")).toHaveLength(4);
  expect(countUses(worker)).toBe(6);
  expect((await home.run("audit", "verify")).code).toBe(0);
});

it("is listed and ended by commands", async () => {
  const worker = await open("api");
  const shortId = await worker.raise(command("npm test"));
  expect(await home.run("answer", shortId, "1", "--for", "soon")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--for soon: expected a time or a number of uses") as string,
  });
  expect((await home.run("answer", shortId, "3", "--for", "1h")).code).toBe(1);
  expect((await home.run("answer", shortId, "1", "--for", "1h", "--wait")).stdout).toContain(
    "Grant g1: exactly this",
  );
  expect((await home.run("grants")).stdout).toMatch(
    /^g1 {2}bash: npm test\n.*one session · by the local user · used 0 times · /,
  );
  expect(await home.data("grants", "list")).toMatchObject([{ id: "g1", request: "npm test", uses: null }]);
  expect(await home.run("grants", "revoke", "g7")).toMatchObject({ code: 1 });
  expect(await home.run("grants", "revoke", "g1")).toMatchObject({ code: 0, stdout: "Ended: g1\n" });
  const next = await worker.raise(command("npm test"));
  expect((await listed()).find((each) => each.shortId === next)?.state).toBe("pending");
});
