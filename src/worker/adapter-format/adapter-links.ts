/** Checks references between parts of an adapter file: each named part must exist. */
import * as v from "valibot";
import { findNearest } from "../../model/data/nearest.js";
import { agentFile, type AgentFile } from "./adapter-file.js";
import { buildPath } from "./file-parts.js";
import { findFieldProblem } from "./placeholders.js";
import { findRuleProblems, type AdapterFileProblem } from "./rule-problems.js";

/** A whole adapter file, as its sections say and as they belong together. */
export const linkedFile = v.pipe(
  agentFile,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    for (const { at, words } of findLinkProblems(dataset.value))
      addIssue({ message: words, received: "", path: buildPath(...at) });
  }),
);

function findLinkProblems(file: AgentFile): readonly AdapterFileProblem[] {
  return [
    ...findRuleProblems(file),
    ...findProgramProblems(file),
    ...findTalkProblems(file),
    ...findCoattachProblems(file),
    ...findSubmitProblems(file),
    ...findModeProblems(file),
    ...findUnreadKeyProblems(file),
  ];
}

function findProgramProblems({ process: { executable, executable_candidates: candidates } }: AgentFile) {
  if (executable === undefined || candidates === undefined) return [];
  return [
    createProblem(
      ["process", "executable"],
      '"executable" means nothing beside "executable_candidates": put it into that list',
    ),
  ];
}

function findUnreadKeyProblems({ unread, unread_keys: keys }: AgentFile): readonly AdapterFileProblem[] {
  if (keys.length === 0 || unread !== "none") return [];
  return [
    createProblem(["unread_keys"], '"unread_keys" means nothing without "unread: screen" or "unread: line"'),
  ];
}

function findTalkProblems({ headless, acp }: AgentFile): readonly AdapterFileProblem[] {
  if (headless?.talk?.speaks !== "acp" || acp) return [];
  return [
    createProblem(
      ["headless", "talk", "speaks"],
      '"speaks: acp" needs the section "acp", which says how the agent is started',
    ),
  ];
}

function findCoattachProblems(file: AgentFile): readonly AdapterFileProblem[] {
  const { coattach } = file;
  if (coattach?.speaks !== "app_server") return [];
  const { command, edits } = coattach.drawn;
  return [
    ...findFieldProblems(command, ["coattach", "drawn", "command"], "{command}"),
    ...findFieldProblems(edits, ["coattach", "drawn", "edits"], "{edits}"),
    ...(file.reports && file.reports.program_status !== undefined
      ? []
      : [
          createProblem(
            ["coattach", "speaks"],
            '"speaks: app_server" needs "reports: { program_status: … }", by which its own thread is told from others',
          ),
        ]),
  ];
}

/** `drawn` has one text with fields; its other keys hold patterns. */
function findFieldProblems(
  drawn: object | undefined,
  at: AdapterFileProblem["at"],
  known: string,
): readonly AdapterFileProblem[] {
  return Object.entries(drawn ?? {}).flatMap(([key, text]: [string, unknown]) => {
    const words = typeof text === "string" ? findFieldProblem(text, [known]) : null;
    return words === null ? [] : [createProblem([...at, key], words)];
  });
}

function findSubmitProblems(file: AgentFile): readonly AdapterFileProblem[] {
  const own = file.rules.map(({ submit }, at) => ({ submit, at: ["rules", at] as const }));
  return [...own, { submit: file.defaults.submit, at: ["defaults"] as const }].flatMap(
    ({ submit = [], at }) =>
      submit.flatMap(({ leads_to: rule }, key) =>
        rule === undefined ? [] : findLeadProblems(file, rule, [...at, "submit", key, "leads_to"]),
      ),
  );
}

function findLeadProblems(
  { rules }: AgentFile,
  name: string,
  at: AdapterFileProblem["at"],
): readonly AdapterFileProblem[] {
  return describeUnknown(
    "rule",
    name,
    rules.map((rule) => rule.name),
  ).map((words) => createProblem(at, words));
}

/** Modes that have no words are names, too: only where some are listed all are known. */
function findModeProblems({ hooks }: AgentFile): readonly AdapterFileProblem[] {
  const known = Object.keys(hooks?.modes ?? {});
  if (!hooks || known.length === 0) return [];
  return hooks.calls.flatMap(({ choices = [] }, call) =>
    choices.flatMap(({ mode }, choice) => {
      const at = ["hooks", "calls", call, "choices", choice, "mode"] as const;
      return mode === undefined
        ? []
        : describeUnknown("mode", mode, known).map((words) => createProblem(at, words));
    }),
  );
}

function describeUnknown(kind: string, name: string, known: readonly string[]): readonly string[] {
  if (known.includes(name)) return [];
  const meant = findNearest(name, known);
  const help = meant ? `did you mean "${meant}"?` : `there are: ${known.join(", ") || "none"}`;
  return [`there is no ${kind} "${name}"; ${help}`];
}

function createProblem(at: AdapterFileProblem["at"], words: string): AdapterFileProblem {
  return { at, words };
}
