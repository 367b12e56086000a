/**
 * The `headless:` section of an adapter file: how a tool is run without its interface. The driver spec as data (ADR 22); what each
 * key means to a run is in `worker/runtimes/exec/command-builder.ts`.
 */
import * as v from "valibot";
import { line, path, buildPath } from "./file-parts.js";
import { args, requireInArgs, allowInWords } from "./placeholders.js";

const literals = v.record(path, v.union([v.string(), v.number(), v.boolean(), v.null()]));

const showEntry = v.strictObject({
  /** Fields of the line, with their required values. A missing field is `null`. */
  when: literals,
  /** The rest is read from each of this list, … */
  each: v.optional(path),
  /** … where these are so. */
  where: v.optional(literals, {}),
  /** What the tool says, as a piece of text that follows the one before. */
  text: v.optional(path),
  /** A piece of the model's thinking, as text. */
  thought: v.optional(path),
  /** A whole message of the model. */
  message: v.optional(path),
  /** The name of a call of one of its tools. */
  call: v.optional(path),
  /** The input of the call. */
  input: v.optional(path),
  /** The id by which a call and its result belong together. */
  id: v.optional(path),
  /** What became of a call. */
  result: v.optional(path),
  /** Whether the call failed; `true`: it did. */
  failed: v.optional(v.union([path, v.literal(true)])),
});

/** One of these must be there. */
const SHOWN = ["text", "thought", "message", "call", "result"] as const;

/** How one JSON line of the tool is displayed. All rules that match count, in order. */
const show = v.pipe(
  showEntry,
  v.check((given) => SHOWN.some((key) => given[key] !== undefined), `expected one of ${SHOWN.join(", ")}`),
  v.check(
    ({ call, input }) => call !== undefined || input === undefined,
    'expected "input" only with "call"',
  ),
  v.check(
    ({ result, failed }) => result !== undefined || failed === undefined,
    'expected "failed" only with "result"',
  ),
  v.check(
    ({ each, where }) => each !== undefined || Object.keys(where).length === 0,
    'expected "where" only with "each"; "when" is of the line itself',
  ),
);

const talk = v.variant("speaks", [
  /** Lines of JSON, with requests for permission: these arguments behind those of the live command. */
  v.strictObject({
    /** Lines of JSON, with requests for permission. */
    speaks: v.literal("stream_json"),
    /** Arguments behind those of the live command. */
    add: args,
  }),
  /** JSON-RPC of a server that holds threads: this command. */
  v.strictObject({
    /** JSON-RPC of a server that holds threads. */
    speaks: v.literal("app_server"),
    /** Arguments that start the server. */
    args,
  }),
  /** A server of sessions over HTTP, on the loopback and with a password: this command. */
  v.strictObject({
    /** A server of sessions, over HTTP on the loopback and with a password. */
    speaks: v.literal("session_server"),
    /** Arguments that start the server. */
    args,
  }),
  /** The Agent Client Protocol, by the command of the section `acp`. */
  v.strictObject({
    /** The Agent Client Protocol, by the command of the section `acp`. */
    speaks: v.literal("acp"),
  }),
]);

const NEVER_THE_LATEST = ": a run goes on with the session it names, never with the latest";

const headless = v.strictObject({
  /** As people know it. */
  display_name: line,
  /** Names of the executable, if they differ from those of `process`; the first one that is installed is run. */
  executables: v.optional(v.pipe(v.array(line), v.minLength(1))),
  /** The oldest version for which this holds; `doctor` compares it with the installed one. */
  min_version: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, "expected a version such as 1.2.3")),
  ),
  /** Names of its tools; a pattern behind one (`Bash(git *)`) belongs to it. */
  tools: v.array(line),
  /**
   * Arguments that allow tools in advance; `{tools}`, an argument of its own, is replaced by all of them. Without this key none
   * can be allowed.
   */
  allow_tools: v.optional(requireInArgs("{tools}", { alone: true })),
  /** Arguments of a run that does one task and ends, asking nobody. */
  command: v.optional(args),
  /** The same, with live reports of the tool's work: words replaced, arguments added. `false`: not possible. */
  live: v.optional(
    v.union([
      v.literal(false),
      v.strictObject({
        /** Words of the command, with their replacements. */
        replace: v.optional(v.record(line, line), {}),
        /** Arguments behind those of the command. */
        add: v.optional(args, []),
      }),
    ]),
    {},
  ),
  /** Whether a session can be resumed. */
  sessions: v.optional(v.boolean(), true),
  /** Arguments that resume a session; `{session}` is its id. */
  session_args: v.optional(requireInArgs("{session}", { why: NEVER_THE_LATEST })),
  /** Arguments that give it context; `{context}`. Without them it stands before the prompt. */
  context_args: v.optional(requireInArgs("{context}")),
  /** Arguments that give it the prompt; `{prompt}`. Without them it is written to its standard input, where `ps` does not show it. */
  prompt_args: v.optional(requireInArgs("{prompt}")),
  /** `lines`: the whole output, unchanged. */
  show: v.optional(v.union([v.literal("lines"), v.array(show)]), []),
  /** Fields with the session's id in the output, searched before the usual ones. */
  session_in: v.optional(v.array(path), []),
  /** A command that lists sessions as JSON, used if the output named none; only a list with one entry counts. */
  session_list: v.optional(
    v.strictObject({
      /** Arguments that list the sessions. */
      args,
      /** The field of an entry that holds the id. */
      id: path,
    }),
  ),
  /** What to do when it was refused something. */
  denial_help: v.optional(allowInWords("{tool}", 2000)),
  /** How it is talked to so that it asks before it acts. Without it, it runs by `command`. */
  talk: v.optional(talk),
});

/** Its arguments are added to those of the command. */
const WITH_COMMAND = ["session_args", "context_args", "prompt_args"] as const;

export const headlessSection = v.pipe(
  headless,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { command, live, ...given } = dataset.value;
    for (const key of WITH_COMMAND) {
      if (command === undefined && given[key] !== undefined)
        addIssue({ message: "means nothing without a command", received: "", path: buildPath(key) });
    }
    for (const arg of Object.keys(live ? live.replace : {})) {
      if (!command?.includes(arg))
        addIssue({
          message: `there is no "${arg}" in the command, of which it would be replaced`,
          received: "",
          path: buildPath("live", "replace", arg),
        });
    }
  }),
  v.check(
    ({ command, talk }) => command !== undefined || talk !== undefined,
    "expected a command, or talk, or both",
  ),
  v.check(
    ({ command, talk }) => command !== undefined || talk?.speaks !== "stream_json",
    "expected a command, which talk adds to",
  ),
  v.check(
    ({ sessions, session_args: given }) => sessions || given === undefined,
    "expected no session_args where there are no sessions",
  ),
  v.check(
    ({ command = [], live }) =>
      !["--continue", "-c"].some((each) => [...command, ...(live ? live.add : [])].includes(each)),
    "expected no --continue: it goes on with whatever session is the latest, also with somebody else's",
  ),
);

export type HeadlessSection = v.InferOutput<typeof headlessSection>;
