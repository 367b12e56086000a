/** What opencode asks, and what each choice does there. */
import { bash } from "../corpus/opencode/moves.js";
import { COMPOSER, opencode } from "../real-cli/opencode.js";
import { answer, DATABASE, FILE, wroteFile } from "./common.js";
import {
  allowed,
  denied,
  deniedFor,
  heard,
  left,
  MAKE_FILE,
  ran,
  REASON,
  remembered,
  told,
} from "./effects.js";
import type { Effect, MatrixChoice, MatrixDialog, MatrixTool } from "./matrix.js";
import { HELPER } from "./tool-session.js";

interface Effects {
  readonly once: Effect;
  readonly always: Effect;
  readonly never: Effect;
  readonly instead: Effect;
}

/** All its permissions have the same choices; the second leads to one more dialog. */
function choices({ once, always, never, instead }: Effects): MatrixChoice[] {
  return [
    { label: "Allow once", effect: once },
    { label: "Allow always", then: ["Confirm"], effect: always },
    { label: "Allow always", then: ["Cancel", "Reject"], effect: never },
    { label: "Reject", effect: never },
    { label: "Reject", words: REASON, effect: instead },
  ];
}

const command: MatrixDialog = {
  name: "command",
  model: [{ text: "I will make a file.", tools: [bash(MAKE_FILE)] }],
  question: /Permission required/,
  choices: choices({
    once: allowed(ran(1)),
    always: remembered(ran(2)),
    never: denied(ran(0)),
    instead: deniedFor(ran(0)),
  }),
};

const edits: MatrixDialog = {
  name: "write",
  model: (cwd) => [
    {
      tools: [{ name: "write", input: { filePath: `${cwd}/${FILE}`, content: "hello\nContinue? (y/n)\n" } }],
    },
  ],
  question: /Permission required/,
  choices: choices({
    once: allowed(wroteFile),
    always: remembered(wroteFile),
    never: denied(left(FILE, "hello")),
    instead: deniedFor(left(FILE, "hello")),
  }),
};

const outside: MatrixDialog = {
  name: "outside",
  model: [{ tools: [{ name: "read", input: { filePath: "/etc/hostname" } }] }],
  question: /Permission required/,
  choices: choices({ once: told(/./), always: remembered(), never: denied(), instead: deniedFor() }),
};

const fetch: MatrixDialog = {
  name: "fetch",
  model: [
    { tools: [{ name: "webfetch", input: { url: "https://docs.example.invalid/page", format: "text" } }] },
  ],
  question: /Permission required/,
  choices: choices({ once: told(/./), always: remembered(), never: denied(), instead: deniedFor() }),
};

/** In an agent that the model started, a rejection has a dialog of its own for its reason. */
const helped: MatrixDialog = {
  name: "helper",
  model: [
    {
      tools: [
        {
          name: "task",
          input: { description: "Make a file", prompt: `Make a file. ${HELPER}`, subagent_type: "general" },
        },
      ],
    },
  ],
  helper: [{ tools: [bash(MAKE_FILE)] }],
  question: /Permission required/,
  choices: [
    { label: "Allow once", effect: allowed(ran(1)) },
    { label: "Reject", then: [{ words: REASON }], effect: allowed(ran(0), heard(REASON)) },
  ],
};

const question: MatrixDialog = {
  name: "question",
  model: [{ tools: [{ name: "question", input: { questions: [DATABASE] } }] }],
  question: /Which database should we use\?/,
  choices: [
    answer("PostgreSQL"),
    answer("SQLite"),
    answer("MongoDB"),
    { label: "Type your own answer", words: "MariaDB, please", effect: told("MariaDB, please") },
  ],
};

export const opencodeMatrix: MatrixTool = {
  tool: opencode,
  // By its screen, with keys. Joined (tests/real/opencode-coattach.test.ts) it has choices of its own.
  flags: ["--no-hooks"],
  composer: COMPOSER,
  dialogs: [command, edits, outside, fetch, helped, question],
};
