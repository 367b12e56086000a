/** The headless runtime raises, answers and ends as in the recorded exchanges with the real opencode. */
import { makePendingRequests } from "../../../../support/pending-requests.js";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { loadAdapter, getPackagePlace } from "../../../../../src/plugins/adapters/adapters.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { systemClock } from "../../../../../src/observe/clock.js";
import { OpenCodeExecClient } from "../../../../../src/worker/integrations/opencode/exec-client.js";
import { TurnSummary } from "../../../../../src/worker/runtimes/exec/turn-summary.js";
import { granted, replyTo } from "../../../../support/acp-agent.js";
import { playSession } from "../../../../support/exchanges/play-session.js";
import type { Exchange } from "../../../../support/exchanges/session-exchange.js";

const FOLDER = "tests/fixtures/exchanges/opencode-exec";
const exchanges = readdirSync(FOLDER).map(
  (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Exchange,
);
const { headless } = await loadAdapter("opencode", getPackagePlace());
const show = headless?.show === "lines" ? [] : (headless?.show ?? []);

it("has exchanges to play", () => {
  expect(exchanges.length).toBeGreaterThanOrEqual(8);
});

it.each(exchanges)("reads and answers an exchange with the real tool: $about", async (exchange) => {
  const { task, answers, asked, end } = exchange;
  const server = await playSession(exchange);
  const events: PromptEvent[] = [];
  const tally = new TurnSummary();
  const raised = (event: PromptEvent): void => {
    const answer = answers[events.length];
    events.push(event);
    if (answer === "cancel") {
      dialogue.cancel();
      pendingRequests.withdrawAll("taken_back");
    } else if (answer)
      void pendingRequests.answer(
        { ...replyTo(event, answer.value), ...(answer.text !== undefined && { text: answer.text }) },
        granted,
      );
  };
  const pendingRequests = makePendingRequests({ onRaised: raised });
  const output = new PassThrough();
  const dialogue = new OpenCodeExecClient({
    input: new PassThrough(),
    output,
    pendingRequests,
    clock: systemClock,
    cwd: "/srv/proj",
    version: "1.0.0",
    context: null,
    resume: null,
    silenceMs: 60_000,
    login: { user: "u", password: "hidden-from-all" },
    show,
    onActivity: (activity) => tally.noteActivity(activity),
    onHung: () => undefined,
  });
  output.write(`server listening on http://127.0.0.1:${server.port}\n`);
  await dialogue.open();
  const { stopReason } = await dialogue.prompt(task);
  const { words, callsDone } = tally.createReport({ stopReason, problem: null, costUsd: null });
  expect({ stopReason, words, callsDone }).toEqual(end);
  expect(
    events.map(({ excerpt, content, choices }) => ({
      question: excerpt,
      text: content.text,
      choices: choices.map(({ label }) => label),
    })),
  ).toEqual(asked);
  expect(server.problems).toEqual([]);
  dialogue.close();
  await server.close();
});
