/**
 * What goes between us and the real opencode, scenario by scenario, is what the fixtures hold: they are what the tests without it play
 * back. `UPDATE_EXCHANGES=1` writes them anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadAdapter, packagePlace } from "../../src/app/adapters/adapters.js";
import { talkCommand } from "../../src/app/exec/exec-command.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { granted, replyTo } from "../support/acp-agent.js";
import { bash } from "../support/corpus/opencode/moves.js";
import { scrubbed } from "../support/exchanges/scrub.js";
import { recordExchange, type Exchange, type Step } from "../support/exchanges/session-exchange.js";
import type { Scenario, ToolCall } from "../support/fake-anthropic/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { headlessAdapter } from "../support/headless-agent.js";
import { opencode } from "../support/real-cli/opencode.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";

vi.setConfig({ testTimeout: 120_000 });

const FOLDER = "tests/fixtures/exchanges/opencode-exec";
const options = [
  { label: "red", description: "warm" },
  { label: "blue", description: "" },
];
const colour = { question: "Which colour?", header: "Colour", options };
const more = { question: "Which more?", header: "More", options, multiple: true };

const calls =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will see to it.", tools }, { text: "All done." }];

interface Situation extends Pick<Exchange, "about" | "answers"> {
  readonly name: string;
  readonly model: (cwd: string) => Scenario;
}

const SITUATIONS: readonly Situation[] = [
  {
    name: "allowed",
    about: "A command, allowed once",
    answers: [{ value: "1" }],
    model: () => calls(bash("touch made.txt")),
  },
  {
    name: "allowed-for-good",
    about: "A command, allowed for good, and another of its kind",
    answers: [{ value: "2" }],
    model: () => () => [
      { text: "First.", tools: [bash("touch made.txt")] },
      { text: "Again.", tools: [bash("touch more.txt")] },
      { text: "All done." },
    ],
  },
  {
    name: "refused",
    about: "A command, refused without a word of the person",
    answers: [{ value: "3" }],
    model: () => calls(bash("touch made.txt")),
  },
  {
    name: "refused-with-reason",
    about: "A command, refused with a reason",
    answers: [{ value: "3", text: "not here" }],
    model: () => calls(bash("touch made.txt")),
  },
  {
    name: "two-at-once",
    about: "Two commands at once: one allowed, one refused",
    answers: [{ value: "1" }, { value: "3" }],
    model: () => calls(bash("touch first.txt"), bash("touch second.txt")),
  },
  {
    name: "write",
    about: "A new file",
    answers: [{ value: "1" }],
    model: (cwd) => calls({ name: "write", input: { filePath: `${cwd}/hello.txt`, content: "hello\n" } }),
  },
  {
    name: "question",
    about: "A question, answered with an option",
    answers: [{ value: "2" }],
    model: () => calls({ name: "question", input: { questions: [colour] } }),
  },
  {
    name: "questions",
    about: "Two questions, one answered in own words, one with several options",
    answers: [{ value: JSON.stringify({ Colour: "green", More: ["red", "blue"] }) }],
    model: () => calls({ name: "question", input: { questions: [colour, more] } }),
  },
  {
    name: "declined",
    about: "A question, declined",
    answers: [{ value: "4" }],
    model: () => calls({ name: "question", input: { questions: [colour] } }),
  },
  {
    name: "cancelled",
    about: "The turn is stopped while it asks",
    answers: ["cancel"],
    model: () => calls(bash("touch made.txt")),
  },
];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function exchanged({ about, answers, model: made }: Situation): Promise<Exchange> {
  const installed = await opencode.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  open.push(() => workspace.dispose());
  const model = await FakeModel.start({ scenarios: { play: made(workspace.cwd) }, cwd: workspace.cwd });
  open.push(() => model.close());
  const setting = { modules: installed.modules, modelUrl: model.url, workspace };
  const { file, cwd, env } = opencode.prepare(setting, { permission: {} });
  const compiled = await loadAdapter("opencode", packagePlace());
  const { headless: driver } = compiled;
  if (!driver) throw new Error("opencode has no driver");
  const command = talkCommand(
    { adapter: compiled, driver, executable: file },
    { session: null, allowTools: [] },
  );
  const recording = recordExchange();
  open.push(async () => {
    await Promise.resolve();
    recording.stop();
  });
  const { adapter, sessionId } = headlessAdapter(compiled, cwd, { environment: env, silenceMs: 110_000 });
  await adapter.startSession(command);
  open.push(() => adapter.terminateSession(sessionId));
  await adapter.ready;
  const events = adapter.events()[Symbol.asyncIterator]();
  const asked: PromptEvent[] = [];
  const task = "please [[play]]";
  const over = adapter.prompt(task);
  for (const answer of answers) {
    for (;;) {
      const step = await events.next();
      if (step.done) throw new Error("nothing was asked");
      if (step.value.kind !== "raised") continue;
      asked.push(step.value.event);
      break;
    }
    const event = asked.at(-1);
    if (answer === "cancel") adapter.cancel();
    else if (event)
      await adapter.injectReply(
        { ...replyTo(event, answer.value), ...(answer.text && { text: answer.text }) },
        granted,
      );
  }
  const { stopReason, words, callsDone } = await over;
  const from = recording.steps.findIndex((step) => step.from === "us" && step.path.endsWith("/prompt_async"));
  const whole: Exchange = {
    tool: "opencode",
    version: opencode.version,
    about,
    task,
    answers,
    asked: asked.map(({ excerpt, content, choices }) => ({
      question: excerpt,
      text: content.text,
      choices: choices.map(({ label }) => label),
    })),
    end: { stopReason, words, callsDone },
    exchange: recording.steps.slice(from),
  };
  return scrubbed(whole, { [workspace.cwd]: "/srv/proj", [workspace.home]: "/home/dev" });
}

/** Of an exchange what does not differ from run to run: what was asked, and what was posted. */
function core({ exchange, ...rest }: Exchange): unknown {
  const isAsking = (step: Step): boolean =>
    step.from === "us" || /"type":"(?:permission|question)\./.test(JSON.stringify(step.event));
  return {
    ...rest,
    kept: exchange.filter(isAsking).map((step) => JSON.stringify(step).replace(/evt_\d+/, "")),
  };
}

describe("the real opencode", () => {
  it.each(SITUATIONS)("exchanges what is kept: $about", async (situation) => {
    const file = join(FOLDER, `${situation.name}.json`);
    const exchange = await exchanged(situation);
    if (process.env["UPDATE_EXCHANGES"] || !existsSync(file))
      writeFileSync(file, `${JSON.stringify(exchange, null, 1)}\n`);
    expect(core(exchange)).toEqual(core(JSON.parse(readFileSync(file, "utf8")) as Exchange));
  });
});
