/**
 * A thousand prompts of fifty sessions are shown, answered once and settled in two services at once, while both services fail in
 * many ways.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asId, type IdempotencyKey, type PromptId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { promptEvent } from "../support/prompts.js";
import { seeded } from "../support/seeded.js";
import { GROUP_MINUTE, PATIENCE } from "../support/telegram/rate.js";
import { mostWithin } from "../support/windows.js";
import { allIsWell, goWrong } from "./support/bad-day.js";
import { listCards } from "./support/cards.js";
import { answering } from "./support/person.js";
import { GROUP_MINUTE_MS, SLACK_MINUTE_MS, TELEGRAM_SECONDS } from "./support/speed.js";
import { makeSessionId, Stage } from "./support/stage.js";

const SESSIONS = 50;
const PROMPTS = 1_000;
/** One in so many brings a file, or is answered at the terminal. */
const FILE_EVERY = 20;
const LOCAL_EVERY = 10;
const SEED = Number(process.env["ATB_STORM_SEED"] ?? 1);
/** Twenty times what it takes on a machine of its own. */
const WITHIN_MS = 600_000;
/** Questions that wait for Ara, and cards that wait for their end: a machine that is slow must be slower, not later and later. */
const OPEN_MAX = 60;
const CARDS_MAX = 200;
/** With so many questions something goes wrong. */
const TROUBLE = 0.4;
/** A look reads every card there ever was. */
const LOOK_EVERY_MS = 250;
const LONG = "0123456789 all of this must be read\n".repeat(300);

const nameJob = (n: number): string => `job-${n}`;
const readNumber = (job: string): number => Number(job.slice("job-".length));
const makePromptId = (n: number): PromptId => asId(`11111111-1111-4111-8111-${String(n).padStart(12, "0")}`);

function question(n: number): PromptEvent {
  return promptEvent({
    promptId: makePromptId(n),
    sessionId: makeSessionId(n % SESSIONS),
    idempotencyKey: asId<IdempotencyKey>(String(n).padStart(64, "a")),
    excerpt: "Run this job?",
    content: { text: n % FILE_EVERY === 7 ? `${nameJob(n)}\n${LONG}` : nameJob(n), cut: null },
  });
}

describe(`a thousand prompts over two channels that fail in many ways (ATB_STORM_SEED=${SEED})`, () => {
  const random = seeded(SEED);
  let stage: Stage;

  beforeAll(async () => {
    report(`seed ${SEED}`);
    stage = await Stage.open(SESSIONS);
  });
  afterAll(() => stage.close());

  it(
    "are finished: every prompt has ended, every card is settled, and nothing is left to send",
    { timeout: WITHIN_MS + 20_000 },
    async () => {
      const begun = performance.now();
      const goAway = answering(stage, random, (job) => {
        const n = readNumber(job);
        return n % LOCAL_EVERY === 3 ? { session: n % SESSIONS, promptId: makePromptId(n) } : null;
      });
      const openPrompts = (): number => stage.core.readStatus().openPrompts;
      const openCards = (): number => listCards(stage).filter(({ buttons }) => buttons > 0).length;
      for (let n = 0; n < PROMPTS; n += 1) {
        const caller = { sessionId: makeSessionId(n % SESSIONS) };
        await stage.core.handlers["prompt.raise"](question(n) as never, caller);
        if (random() < TROUBLE) goWrong(stage, random);
        if (n % 10 !== 9) continue;
        const hasRoom = (): boolean => openPrompts() < OPEN_MAX && openCards() < CARDS_MAX;
        await until(hasRoom, () => `${openPrompts()} questions and ${openCards()} cards are open`);
      }
      await until(
        () => openPrompts() === 0,
        () => `${openPrompts()} questions are open`,
      );
      allIsWell(stage);
      await until(
        () => openCards() === 0,
        () => `${openCards()} cards have buttons`,
      );
      // A card that was never posted has no buttons, but it is posted or given up, too.
      report(`${stage.unsentRows()} calls were still to be made`);
      await until(
        () => stage.unsentRows() === 0,
        () => `${stage.unsentRows()} calls are still to be made`,
      );
      goAway();
      report(`over after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    },
  );

  it("are each shown in both services unless they ended first, and twice only where a response was lost", () => {
    const { lostPosts } = stage;
    const cards = listCards(stage);
    const counts = countEach(cards.map(({ channel, job }) => `${channel} ${job}`));
    const lost = countEach(lostPosts);
    report(`${cards.length} cards, ${lostPosts.length} lost responses`);
    const shown = new Set(cards.map(({ job }) => job));
    expect(Array.from({ length: PROMPTS }, (_, n) => nameJob(n)).filter((job) => !shown.has(job))).toEqual(
      [],
    );
    expect([...counts].filter(([key, count]) => count > 1 + (lost.get(key) ?? 0))).toEqual([]);
    const tooLate = stage.cardsTooLate();
    for (const channel of ["telegram", "slack"]) {
      const there = new Set(cards.filter((card) => card.channel === channel).map(({ job }) => job));
      const missing = Array.from({ length: PROMPTS }, (_, n) => n).filter((n) => !there.has(nameJob(n)));
      // A service that got no card at all would have none that is wrong.
      expect(there.size, channel).toBeGreaterThan(PROMPTS / 2);
      // Ara does not wait for ever: a question may be over before its card could go.
      report(`${missing.length} cards came too late for ${channel}`);
      expect(missing.filter((n) => !tooLate.has(`${channel} ${makePromptId(n)}`))).toEqual([]);
      expect(lostPosts.filter((key) => key.startsWith(channel)).length, channel).toBeGreaterThan(0);
    }
  });

  it("each get one answer, and none from a chat where the person at the keyboard was first", () => {
    const typed = stage.workers.flatMap((worker) => worker.typed.map(({ promptId }) => promptId));
    const withdrawn = stage.workers.flatMap((worker) => [...worker.withdrawn]);
    expect(new Set(typed).size).toBe(typed.length);
    expect(new Set([...typed, ...withdrawn]).size).toBe(PROMPTS);
    expect(typed.length + withdrawn.length).toBe(PROMPTS);
    report(`${typed.length} typed, ${withdrawn.length} answered at the terminal`);
  });

  it("have the true result on every card", () => {
    const typed = stage.workers.flatMap((worker) => worker.typed);
    const truth = new Map(
      typed.map(({ promptId, value }) => [
        nameJob(Number(promptId.slice(-12))),
        `✅ ${value === "1" ? "Yes" : "No"}, by Ara, confirmed`,
      ]),
    );
    const wrong = listCards(stage).filter(
      ({ job, text }) => !text.includes(truth.get(job) ?? "⌨️ Answered at the terminal"),
    );
    expect(wrong.map(({ key, text }) => `${key}: ${text}`)).toEqual([]);
  });

  it("exceed no rate limit of a service, by its refusals", () => {
    const { telegram, slack, slackEdits } = stage;
    const tired = [...telegram.requests, ...slack.requests].filter(
      ({ status, fault }) => status === 429 && fault === null,
    );
    expect(tired.map(({ method }) => method)).toEqual([]);
    const writes = stage.writes.filter(({ channel }) => channel === "telegram");
    const seen = telegram.requests.filter(({ method }) => /^(send|edit)/.test(method));
    // Every call in the log of the service was counted.
    expect(seen.length).toBeLessThanOrEqual(writes.length);
    expect(seen.length).toBeGreaterThan(PROMPTS);
    // Every card was changed at its end.
    expect(slackEdits.length).toBeGreaterThanOrEqual(
      listCards(stage).filter(({ channel }) => channel === "slack").length,
    );
    const busiest = stage.groups.map((group) =>
      mostWithin(at(writes.filter(({ place }) => place === String(group))), GROUP_MINUTE_MS),
    );
    const inAll = mostWithin(at(writes), 1_000) / TELEGRAM_SECONDS;
    report(`busiest second of Telegram: ${inAll} calls (its limit is ${PATIENCE.all.perSecond})`);
    report(`busiest minute of a group: ${Math.max(...busiest)} calls (${GROUP_MINUTE})`);
    report(`busiest minute of Slack: ${mostWithin(slackEdits, SLACK_MINUTE_MS)} changes (50)`);
  });
});

function at(requests: readonly { readonly at: number }[]): number[] {
  return requests.map((request) => request.at);
}

function countEach(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

async function until(probe: () => boolean, what: () => string): Promise<void> {
  for (const deadline = performance.now() + WITHIN_MS; !probe();) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what()}`);
    await pause(LOOK_EVERY_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function report(line: string): void {
  console.info(`  ${line}`);
}
