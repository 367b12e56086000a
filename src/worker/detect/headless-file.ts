/**
 * The `headless:` section of an adapter file: how a tool is run without its interface. The driver spec as data (ADR 22); what each
 * key means to a run is in `worker/runtime/headless/driver.ts`.
 */
import * as v from "valibot";
import { line } from "./file-parts.js";

const args = v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(1000)));
/** Fields from the outside in: `event.delta.text`. */
const path = v.pipe(v.string(), v.regex(/^[\w-]{1,64}(?:\.[\w-]{1,64}){0,7}$/, "names joined by dots"));
const variable = v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, "a variable's name"));
const literals = v.record(path, v.union([v.string(), v.number(), v.boolean(), v.null()]));

/** What is shown of one line of JSON that the tool writes. All rules that fit count, in order. */
const show = v.strictObject({
  /** Fields of the line, and what they must be. A field that is not there is `null`. */
  when: literals,
  /** The rest is read from each of this list, … */
  each: v.optional(path),
  /** … where these are so. */
  where: v.optional(literals, {}),
  /** What the tool says, or thinks: a piece of text that follows the one before, … */
  text: v.optional(path),
  thought: v.optional(path),
  /** … or is a whole of its own. */
  message: v.optional(path),
  /** A call of one of its tools: its name, its input; and what became of it. */
  call: v.optional(path),
  input: v.optional(path),
  id: v.optional(path),
  result: v.optional(path),
  failed: v.optional(v.union([path, v.literal(true)])),
});

const talk = v.variant("speaks", [
  /** Lines of JSON, with requests for permission: these arguments behind those of the live command. */
  v.strictObject({ speaks: v.literal("stream_json"), add: args }),
  /** JSON-RPC of a server that holds threads: this command. */
  v.strictObject({ speaks: v.literal("app_server"), args }),
  /** A server of sessions over HTTP, on the loopback and with a password: this command. */
  v.strictObject({
    speaks: v.literal("session_server"),
    args,
    /** The variables from which it takes who may speak to it. */
    login: v.strictObject({ user: variable, password: variable }),
    /** What it is to ask about where its user's own settings say nothing of it, by its own names. */
    asks: v.optional(v.array(line), []),
  }),
  /** The Agent Client Protocol, by the command of the section `acp`. */
  v.strictObject({ speaks: v.literal("acp") }),
]);

const headless = v.strictObject({
  /** As people know it. */
  display_name: line,
  /** Names under which it may be installed, where they are others than those of `process`; the first that is there is run. */
  executables: v.optional(v.pipe(v.array(line), v.minLength(1))),
  /** The oldest version for which this holds; `doctor` compares it with the installed one. */
  min_version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, "three numbers: 1.0.0"))),
  /** Names of its tools; a pattern behind one (`Bash(git *)`) belongs to it. */
  tools: v.array(line),
  /** Arguments with which tools are allowed beforehand; `{tools}` stands for all of them. Without it none can be. */
  allow_tools: v.optional(args),
  /** Arguments of a run that does one task and ends, asking nobody. */
  command: v.optional(args),
  /** The same, but telling what it does as it does it: words replaced, arguments added. `false`: it cannot. */
  live: v.optional(
    v.union([
      v.literal(false),
      v.strictObject({
        replace: v.optional(v.record(line, line), {}),
        add: v.optional(args, []),
      }),
    ]),
    {},
  ),
  /** Whether a session can be gone on with, and by which arguments; `{session}` is its id. */
  sessions: v.optional(v.boolean(), true),
  session_args: v.optional(args),
  /** Arguments that give it context; `{context}`. Without them it stands before the prompt. */
  context_args: v.optional(args),
  /** Arguments that give it the prompt; `{prompt}`. Without them it is written to its standard input, where `ps` does not show it. */
  prompt_args: v.optional(args),
  /** `lines`: all that it writes, as it is. */
  show: v.optional(v.union([v.literal("lines"), v.array(show)]), []),
  /** Where its session's id stands in what it writes, before the usual places are looked at. */
  session_in: v.optional(v.array(path), []),
  /** A command that lists its sessions as JSON, for when nothing of what it wrote named one; only a list of one says anything. */
  session_list: v.optional(v.strictObject({ args, id: path })),
  /** What to do when it was refused something. */
  denial_help: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(2000))),
  /** How it is talked to so that it asks before it acts. Without it, it runs by `command`. */
  talk: v.optional(talk),
});

export const headlessSection = v.pipe(
  headless,
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
    ({ session_args: given = ["{session}"] }) => given.some((each) => each.includes("{session}")),
    "expected {session} in session_args: a run goes on with the session it names, never with the latest",
  ),
  v.check(
    ({ command = [], live }) =>
      !["--continue", "-c"].some((each) => [...command, ...(live ? live.add : [])].includes(each)),
    "expected no --continue: it goes on with whatever session is the latest, also with somebody else's",
  ),
);

export type HeadlessSection = v.InferOutput<typeof headlessSection>;
