/** What happens with the real opencode while its exchanges are recorded, be it run without its interface or joined beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bash } from "../corpus/opencode/moves.js";
import type { Scenario, Step, ToolCall } from "../fake-model/script.js";
import type { JoinedExchange } from "./joined-session.js";
import { keepIfWanted } from "./keep.js";
import { EXCHANGES } from "./line-exchange.js";
import type { Exchange } from "./session-exchange.js";

export interface SessionSituation<Answers = Exchange["answers"]> {
  readonly name: string;
  readonly about: string;
  readonly answers: Answers;
  readonly model: Scenario;
}

function steps(...tools: readonly ToolCall[]): readonly Step[] {
  return [{ text: "I will see to it.", tools }, { text: "All done." }];
}

const options = [
  { label: "red", description: "warm" },
  { label: "blue", description: "" },
];
const colour = { question: "Which colour?", header: "Colour", options };
const more = { question: "Which more?", header: "More", options, multiple: true };

export const ONE_COMMAND: Scenario = () => steps(bash("touch made.txt"));
export const ONE_QUESTION: Scenario = () => steps({ name: "question", input: { questions: [colour] } });

/** The same in both ways. */
export const SITUATIONS: readonly SessionSituation<JoinedExchange["answers"]>[] = [
  {
    name: "allowed",
    about: "A command, allowed once",
    answers: [{ value: "1" }],
    model: ONE_COMMAND,
  },
  {
    name: "refused-with-reason",
    about: "A command, refused with a reason",
    answers: [{ value: "3", text: "not here" }],
    model: ONE_COMMAND,
  },
  {
    name: "two-at-once",
    about: "Two commands at once: one allowed, one refused",
    answers: [{ value: "1" }, { value: "3" }],
    model: () => steps(bash("touch first.txt"), bash("touch second.txt")),
  },
  {
    name: "write",
    about: "A new file",
    answers: [{ value: "1" }],
    model: ({ cwd }) => steps({ name: "write", input: { filePath: `${cwd}/hello.txt`, content: "hello\n" } }),
  },
  {
    name: "question",
    about: "A question, answered with an option",
    answers: [{ value: "2" }],
    model: ONE_QUESTION,
  },
  {
    name: "questions",
    about: "Two questions, one answered in own words, one with several options",
    answers: [{ value: JSON.stringify({ Colour: "green", More: ["red", "blue"] }) }],
    model: () => steps({ name: "question", input: { questions: [colour, more] } }),
  },
];

/** The exchange that is kept for it; this one, where none is or it is wanted anew. `folder`: of its peer. */
export function keptExchange<Kept>(folder: string, { name }: { readonly name: string }, made: Kept): Kept {
  const place = join(EXCHANGES, folder, `${name}.json`);
  keepIfWanted(place, () => writeFileSync(place, `${JSON.stringify(made, null, 1)}\n`));
  return JSON.parse(readFileSync(place, "utf8")) as Kept;
}
