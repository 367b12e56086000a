/**
 * What goes between us and the real opencode, scenario by scenario, is what the fixtures hold: they are what the tests without it play
 * back. `UPDATE_EXCHANGES=1` writes them anew.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { bash } from "../support/corpus/opencode/moves.js";
import { conduct } from "../support/exchanges/conduct.js";
import {
  keptExchange,
  ONE_COMMAND,
  ONE_QUESTION,
  SITUATIONS,
  type SessionSituation,
} from "../support/exchanges/opencode.js";
import { driven } from "../support/exchanges/record.js";
import { scrubbed } from "../support/exchanges/scrub.js";
import { recordExchange, type Exchange, type Step } from "../support/exchanges/session-exchange.js";
import { FakeModel } from "../support/fake-model/server.js";
import { opencode } from "../support/real-cli/opencode.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";

vi.setConfig({ testTimeout: 120_000 });

const TASK = "please [[play]]";

const ALL: readonly SessionSituation[] = [
  ...SITUATIONS,
  {
    name: "allowed-for-good",
    about: "A command, allowed for good, and another of its kind",
    answers: [{ value: "2" }],
    model: () => [
      { text: "First.", tools: [bash("touch made.txt")] },
      { text: "Again.", tools: [bash("touch more.txt")] },
      { text: "All done." },
    ],
  },
  {
    name: "refused",
    about: "A command, refused without a word of the person",
    answers: [{ value: "3" }],
    model: ONE_COMMAND,
  },
  {
    name: "declined",
    about: "A question, declined",
    answers: [{ value: "4" }],
    model: ONE_QUESTION,
  },
  {
    name: "cancelled",
    about: "The turn is stopped while it asks",
    answers: ["cancel"],
    model: ONE_COMMAND,
  },
];

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function exchanged({ about, answers, model: made }: SessionSituation): Promise<Exchange> {
  const installed = await opencode.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  open.push(() => workspace.dispose());
  const { cwd, home } = workspace;
  const model = await FakeModel.start({ scenarios: { play: made }, cwd });
  open.push(() => model.close());
  const recording = recordExchange();
  open.push(recording.stop);
  const setting = { modules: installed.modules, modelUrl: model.url, workspace };
  const session = await driven("opencode", opencode.prepare(setting, { permission: {} }));
  open.push(session.dispose);
  const { asked, end } = await conduct(session, { task: TASK, answers });
  const { stopReason, words, callsDone } = end as Exchange["end"];
  const from = recording.steps.findIndex((step) => step.from === "us" && step.path.endsWith("/prompt_async"));
  const whole: Exchange = {
    tool: "opencode",
    version: opencode.version,
    about,
    task: TASK,
    answers,
    asked: asked.map(({ excerpt, content, choices }) => ({
      question: excerpt,
      text: content.text,
      choices: choices.map(({ label }) => label),
    })),
    end: { stopReason, words, callsDone },
    exchange: recording.steps.slice(from),
  };
  return scrubbed(whole, { [cwd]: "/srv/proj", [home]: "/home/dev" });
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
  it.each(ALL)("exchanges what is kept: $about", async (situation) => {
    const exchange = await exchanged(situation);
    expect(core(exchange)).toEqual(core(keptExchange("opencode-exec", situation, exchange)));
  });
});
