/**
 * In recorded exchanges with the real agents, our runtimes raise prompts, answer them and end as they did with the real agents.
 * The recordings hold nothing private.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsIn, protocolSchema, type Line } from "../../../../support/acp-schema.js";
import {
  exchangeFiles,
  EXCHANGES,
  readExchange,
  requestId,
  writeExchange,
  type LineExchange,
  type LineStep,
} from "../../../../support/exchanges/line-exchange.js";
import { PEERS } from "../../../../support/exchanges/peers.js";
import { play } from "../../../../support/exchanges/play.js";

const FILES = exchangeFiles();

it("every situation is kept, and of the version that the real suite runs", () => {
  const kept = FILES.map((file) => {
    const { peer, version } = readExchange(join(EXCHANGES, file));
    return `${file} ${peer} ${version}`;
  });
  const wanted = PEERS.flatMap(({ name: peer, tool, situations }) =>
    situations.map(({ name }) => `${peer}/${name}.jsonl ${peer} ${tool.version}`),
  );
  expect(kept).toEqual(wanted.sort());
});

describe.each(FILES)("%s", (file) => {
  const place = join(EXCHANGES, file);
  const exchange = readExchange(place);

  it("is raised, answered and ended as it was with the real agent", async () => {
    const { outcome, noted } = await play(place);
    expect(noted).toEqual(["played"]);
    const { asked, receipts, end } = exchange;
    expect(outcome).toEqual({ asked, receipts, end });
  });

  it.runIf(exchange.runtime === "acp")("holds only messages of ours that the protocol's schema knows", () => {
    expect(protocolProblems(exchange)).toEqual([]);
  });
});

const ALL = readdirSync(EXCHANGES, { recursive: true, encoding: "utf8" }).filter(
  (name) => extname(name) !== "",
);

it.each(ALL)("%s holds nothing of the machine or of the moment", (file) => {
  const text = readFileSync(join(EXCHANGES, file), "utf8");
  expect(text.match(PRIVATE) ?? []).toEqual([]);
});

it("a different answer of ours is noticed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "other-"));
  const place = join(folder, "other.jsonl");
  const exchange = readExchange(join(EXCHANGES, "gemini/allowed.jsonl"));
  const answer = (optionId: string): object => ({
    jsonrpc: "2.0",
    id: 0,
    result: { outcome: { outcome: "selected", optionId } },
  });
  const steps = exchange.steps.map((step) =>
    step.by === "us" && JSON.stringify(step.message) === JSON.stringify(answer("proceed_once"))
      ? { ...step, message: answer("cancel") as LineStep["message"] }
      : step,
  );
  try {
    writeExchange(place, { ...exchange, steps });
    const { noted } = await play(place);
    expect(noted).toEqual([{ expected: answer("cancel"), came: answer("proceed_once") }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Places but those of the recordings and of every system, ids but those that stand for some, hosts, keys, mail addresses, and instants of our years. */
const PRIVATE = new RegExp(
  [
    /(?<![\w.:/-])\/(?!(?:srv|home\/dev|opt\/agent|dev|bin|usr|etc)\b|(?:session|permission|question)\/\w+_\d+\/)[A-Za-z][\w.-]*\/[^"\s]*/,
    /\b(?!00000000-0000-[47]000-8000-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/,
    /\b[\w-]+\.(?:local|lan|internal)\b/,
    /\bsk-[\w-]+|[\w.]+@[\w-]+\.\w+/,
    /\b20(?!00)\d\d[-/]\d\d[-/]\d\d|\b1[6-9]\d{8}(?:\d{3})?\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

function protocolProblems({ steps }: LineExchange): readonly string[] {
  const greeting = steps.find(({ by, message }) => by === "agent" && message["result"])?.message["result"];
  const { protocolVersion } = greeting as { readonly protocolVersion: 1 | 2 };
  const asked = new Map(
    steps.flatMap(({ by, message }) =>
      by === "agent" && requestId(message) !== undefined ? [[message["id"], message["method"]]] : [],
    ),
  );
  const said = steps.filter(({ by, message }) => by === "us" && message["error"] === undefined);
  return problemsIn(
    protocolSchema(protocolVersion),
    said.map(({ message }) => message as Line),
    (id) => String(asked.get(id)),
  );
}
