/** What opencode asks, and what each choice does there. */
import { bash } from "../corpus/opencode/moves.js";
import { opencode } from "../real-cli/opencode.js";
import { answer, DATABASE, FILE, wroteFile } from "./common.js";
import { allowed, denied, left, MAKE_FILE, ran, remembered, told } from "./effects.js";
import type { Effect, MatrixChoice, MatrixDialog, MatrixTool } from "./matrix.js";

interface Effects {
  readonly once: Effect;
  readonly always: Effect;
  readonly never: Effect;
}

/** All its permissions have the same choices; the second leads to one more dialog. */
function choices({ once, always, never }: Effects): MatrixChoice[] {
  return [
    { label: "Allow once", effect: once },
    { label: "Allow always", then: ["Confirm"], effect: always },
    { label: "Allow always", then: ["Cancel", "Reject"], effect: never },
    { label: "Reject", effect: never },
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
  }),
};

const outside: MatrixDialog = {
  name: "outside",
  model: [{ tools: [{ name: "read", input: { filePath: "/etc/hostname" } }] }],
  question: /Permission required/,
  choices: choices({ once: told(/./), always: remembered(), never: denied() }),
};

const fetch: MatrixDialog = {
  name: "fetch",
  model: [
    { tools: [{ name: "webfetch", input: { url: "https://docs.example.invalid/page", format: "text" } }] },
  ],
  question: /Permission required/,
  choices: choices({ once: told(/./), always: remembered(), never: denied() }),
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
  composer: /Ask anything|ctrl\+p commands|╹▀{8}/,
  dialogs: [command, edits, outside, fetch, question],
  left: { "Reject with words": "nobody has told AtlasBridge how its empty input box looks" },
};
