/** The schemas of the tools with which an agent uses live sessions. */
import { CONSOLE_TOOLS } from "../../../model/console-call.js";

export const LIST_TOOL = "list_sessions";
export const START_TOOL = CONSOLE_TOOLS.start;
export const RUN_TOOL = CONSOLE_TOOLS.run;
export const WAIT_TOOL = "wait";
export const PEEK_TOOL = "peek_screen";
export const INPUT_TOOL = CONSOLE_TOOLS.input;
export const INTERRUPT_TOOL = "interrupt";

const WAIT_SECONDS_MAX = 600;
const COMMAND_LENGTH_MAX = 16 * 1024;
const LINE_LENGTH_MAX = 1000;
const ARGUMENTS_MAX = 50;

const session = { type: "string", minLength: 1, maxLength: 100, description: "As list_sessions names it" };
const timeout = {
  type: "integer",
  minimum: 1,
  maximum: WAIT_SECONDS_MAX,
  description: "How long to wait, 30 by default; then the command goes on, and wait waits for it again",
};

function createObjectSchema(properties: object, required: readonly string[]): object {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

const PERSON = "A person, or the rules of one, must allow it first; they see exactly what you send.";

export const CONSOLE_TOOL_LIST = [
  {
    name: LIST_TOOL,
    title: "List live sessions",
    description:
      "Lists the shells, interpreters and debuggers that their people have opened to you, with the mode and directory of each, and hints: what it can do, its modes and its own commands.",
    inputSchema: createObjectSchema({}, []),
    annotations: { readOnlyHint: true },
  },
  {
    name: START_TOOL,
    title: "Start a session",
    description:
      "Starts a shell, an interpreter or a debugger (bash, python3, gdb …) that keeps its state between commands, in your folder. " +
      "Only programs that your person's configuration lists can be started, under exactly the listed name. " +
      "Where it says so, a person must allow it first; they see exactly what you send.",
    inputSchema: createObjectSchema(
      {
        program: { type: "string", minLength: 1, maxLength: 200, pattern: "^[^\\s-][^\\s]*$" },
        arguments: { type: "array", items: { type: "string", maxLength: 1000 }, maxItems: ARGUMENTS_MAX },
      },
      ["program"],
    ),
  },
  {
    name: RUN_TOOL,
    title: "Run a command",
    description:
      "Runs one command, or a block of several lines, in a live session and gives its output, exit code, directory and mode. " +
      `Whoever types at that terminal comes first. ${PERSON}`,
    inputSchema: createObjectSchema(
      {
        session,
        command: { type: "string", minLength: 1, maxLength: COMMAND_LENGTH_MAX, pattern: "\\S" },
        timeout_seconds: timeout,
      },
      ["session", "command"],
    ),
  },
  {
    name: WAIT_TOOL,
    title: "Wait for a command",
    description: "Waits on for the command that you ran last in that session and that was still running.",
    inputSchema: createObjectSchema({ session, timeout_seconds: timeout }, ["session"]),
    annotations: { readOnlyHint: true },
  },
  {
    name: PEEK_TOOL,
    title: "Look at the screen",
    description: "Shows what the session's terminal shows now, such as the question of a command that runs.",
    inputSchema: createObjectSchema({ session }, ["session"]),
    annotations: { readOnlyHint: true },
  },
  {
    name: INPUT_TOOL,
    title: "Type a line",
    description: `Types one line for the command that runs and reads it. It is no command. ${PERSON}`,
    inputSchema: createObjectSchema({ session, text: { type: "string", maxLength: LINE_LENGTH_MAX } }, [
      "session",
      "text",
    ]),
  },
  {
    name: INTERRUPT_TOOL,
    title: "Interrupt",
    description: "Presses the session's interrupt key (Ctrl-C) for the command that runs.",
    inputSchema: createObjectSchema({ session }, ["session"]),
  },
] as const;
