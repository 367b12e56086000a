/** Where one part of an adapter file speaks of another: what it names must be there. */
import * as v from "valibot";
import { findNearest } from "../../model/data/nearest.js";
import { agentFile, type AgentFile } from "./adapter-file.js";
import { pathTo } from "./file-parts.js";
import { fieldProblem } from "./placeholders.js";
import { ruleProblems, type AdapterFileProblem } from "./rule-problems.js";

/** A whole adapter file, as its sections say and as they belong together. */
export const linkedFile = v.pipe(
  agentFile,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    for (const { at, words } of problemsOf(dataset.value))
      addIssue({ message: words, received: "", path: pathTo(...at) });
  }),
);

function problemsOf(file: AgentFile): readonly AdapterFileProblem[] {
  return [
    ...ruleProblems(file),
    ...programProblems(file),
    ...talkProblems(file),
    ...joinProblems(file),
    ...submitProblems(file),
    ...modeProblems(file),
  ];
}

function programProblems({ process: { executable, executable_candidates: candidates } }: AgentFile) {
  if (executable === undefined || candidates === undefined) return [];
  return [
    problem(
      ["process", "executable"],
      '"executable" means nothing beside "executable_candidates": put it into that list',
    ),
  ];
}

function talkProblems({ headless, acp }: AgentFile): readonly AdapterFileProblem[] {
  if (headless?.talk?.speaks !== "acp" || acp) return [];
  return [
    problem(
      ["headless", "talk", "speaks"],
      '"speaks: acp" needs the section "acp", which says how the agent is started',
    ),
  ];
}

function joinProblems(file: AgentFile): readonly AdapterFileProblem[] {
  const { coattach } = file;
  if (coattach?.speaks !== "app_server") return [];
  const { command, edits } = coattach.drawn;
  return [
    ...fieldProblems(command, ["coattach", "drawn", "command"], "{command}"),
    ...fieldProblems(edits, ["coattach", "drawn", "edits"], "{edits}"),
    ...(file.signals && file.signals.program_status !== undefined
      ? []
      : [
          problem(
            ["coattach", "speaks"],
            '"speaks: app_server" needs "signals: { program_status: … }", by which its own thread is told from others',
          ),
        ]),
  ];
}

/** `drawn` has one text with fields; its other keys hold patterns. */
function fieldProblems(
  drawn: object | undefined,
  at: AdapterFileProblem["at"],
  known: string,
): readonly AdapterFileProblem[] {
  return Object.entries(drawn ?? {}).flatMap(([key, text]: [string, unknown]) => {
    const words = typeof text === "string" ? fieldProblem(text, [known]) : null;
    return words === null ? [] : [problem([...at, key], words)];
  });
}

function submitProblems(file: AgentFile): readonly AdapterFileProblem[] {
  const own = file.rules.map(({ submit }, at) => ({ submit, at: ["rules", at] as const }));
  return [...own, { submit: file.defaults.submit, at: ["defaults"] as const }].flatMap(
    ({ submit = [], at }) =>
      submit.flatMap(({ leads_to: rule }, key) =>
        rule === undefined ? [] : leadProblems(file, rule, [...at, "submit", key, "leads_to"]),
      ),
  );
}

function leadProblems(
  { rules }: AgentFile,
  name: string,
  at: AdapterFileProblem["at"],
): readonly AdapterFileProblem[] {
  return missing(
    "rule",
    name,
    rules.map((rule) => rule.name),
  ).map((words) => problem(at, words));
}

/** Modes that have no words are names, too: only where some are listed all are known. */
function modeProblems({ hooks }: AgentFile): readonly AdapterFileProblem[] {
  const known = Object.keys(hooks?.modes ?? {});
  if (!hooks || known.length === 0) return [];
  return hooks.calls.flatMap(({ choices = [] }, call) =>
    choices.flatMap(({ mode }, choice) => {
      const at = ["hooks", "calls", call, "choices", choice, "mode"] as const;
      return mode === undefined ? [] : missing("mode", mode, known).map((words) => problem(at, words));
    }),
  );
}

function missing(kind: string, name: string, known: readonly string[]): readonly string[] {
  if (known.includes(name)) return [];
  const meant = findNearest(name, known);
  const help = meant ? `did you mean "${meant}"?` : `there are: ${known.join(", ") || "none"}`;
  return [`there is no ${kind} "${name}"; ${help}`];
}

function problem(at: AdapterFileProblem["at"], words: string): AdapterFileProblem {
  return { at, words };
}
