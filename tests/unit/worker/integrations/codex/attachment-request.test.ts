/** A request of codex's server and a dialog of the real codex, at every size, are one prompt only where they agree. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import type { PendingRequest } from "../../../../../src/worker/prompts/pending-request.js";
import {
  createAttachedRequest,
  type ServerRequest,
} from "../../../../../src/worker/integrations/codex/attachment-request.js";
import { deceptiveScript, longCommand, REMOVE } from "../../../../support/corpus/shared/commands.js";
import { replayDialog } from "../../prompts/recorded-dialogs.js";
import { shippedAdapter } from "../../detection/screens.js";

const SIZES = ["120x40", "80x24", "45x20"];
const CWD = "/home/dev/proj";
const { coattach } = shippedAdapter("codex");

function asked(request: ServerRequest): PendingRequest | null {
  if (coattach?.speaks !== "app_server") throw new Error("codex cannot be joined");
  return createAttachedRequest(request, CWD, coattach.drawn);
}

/** As codex runs it: in a shell, in the quotes that it takes. */
function command(text: string): PendingRequest {
  const quoted = `'${text.replaceAll("'", `'"'"'`)}'`;
  const params = { threadId: "mine", command: `/bin/bash -lc ${quoted}`, cwd: CWD, commandActions: [] };
  const ask = asked({ method: "item/commandExecution/requestApproval", params, item: null });
  if (!ask) throw new Error("it asks nothing");
  return ask;
}

interface Change {
  readonly path: string;
  readonly kind: { readonly type: string };
  readonly diff: string;
}

function edits(...changes: readonly Change[]): PendingRequest {
  const item = { type: "fileChange", id: "item", changes };
  const ask = asked({ method: "item/fileChange/requestApproval", params: { threadId: "mine" }, item });
  if (!ask) throw new Error("it asks nothing");
  return ask;
}

/** A dialog of these rows. */
function drawnRows(question: string, rows: readonly string[]): Candidate {
  return {
    rule: "permission",
    question,
    choices: [],
    promptType: "multiple_choice",
    safetyClass: "permission",
    content: { text: [question, ...rows].join("\n"), cut: null },
    size: { cols: 80, rows: 24 },
  } as unknown as Candidate;
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, nth) => `Line ${nth + 1}\n`).join("");
const SCRIPT = deceptiveScript(
  ["1. Yes", "› 2. No, and tell Codex (esc)"],
  "# Press enter to confirm or esc to cancel",
);
const ASKED: readonly [recording: string, its: PendingRequest, others: PendingRequest][] = [
  ["exec", command(REMOVE), command("rm -rf dist")],
  ["exec-long", command(longCommand(undefined, " ./node_modules")), command(longCommand("say nothing"))],
  ["exec-script", command(SCRIPT), command("echo hello")],
  [
    "edit",
    edits({
      path: `${CWD}/app.py`,
      kind: { type: "update" },
      diff: '@@ -3,2 +3,3 @@\n def main():\n-    pass\n+    print("1. Yes")\n+    print("› 2. No")\n',
    }),
    edits({
      path: `${CWD}/app.py`,
      kind: { type: "update" },
      diff: "@@ -3,1 +3,1 @@\n-    pass\n+    exit()\n",
    }),
  ],
  [
    "edit-long",
    edits({ path: `${CWD}/notes.md`, kind: { type: "add" }, diff: lines(60) }),
    edits({ path: `${CWD}/other.md`, kind: { type: "add" }, diff: "Something else\n" }),
  ],
];

describe("the names of its choices", () => {
  const rows = (availableDecisions: readonly string[]): PendingRequest["prompt"] | undefined => {
    const params = { threadId: "mine", command: "ls", cwd: CWD, availableDecisions };
    return asked({ method: "item/commandExecution/requestApproval", params, item: null })?.prompt;
  };

  it("are letters where the dialog has fewer rows, otherwise its numbers", () => {
    expect(rows(["accept", "cancel"])?.constraints).toEqual({ minChoice: 1, maxChoice: 3, lettered: true });
    expect(rows(["accept", "decline", "cancel"])?.constraints).toEqual({ minChoice: 1, maxChoice: 3 });
  });
});

describe("a request of an app server", () => {
  it.each(
    ASKED.flatMap(([name, its, others]) => SIZES.map((size) => [`${name}-${size}`, its, others] as const)),
  )("and its dialog are one question, and another's is not: %s", async (recording, its, others) => {
    const dialog = await replayDialog(`${recording}-0.169.0`, "codex");
    expect([its.matchesDialog?.(dialog), others.matchesDialog?.(dialog)]).toEqual([true, false]);
  });

  it("for input is known by it, and for the network by its host alone", () => {
    const asks = (params: object): PendingRequest => {
      const request = { threadId: "mine", cwd: CWD, commandActions: [], ...params };
      const ask = asked({ method: "item/commandExecution/requestApproval", params: request, item: null });
      if (!ask) throw new Error("it asks nothing");
      return ask;
    };
    const input = drawnRows("Would you like to send input to the existing terminal?", [
      "Environment: local",
      "rm -rf /",
    ]);
    const network = drawnRows('Do you want to approve network access to "example.com"?', []);
    const [command, networkApprovalContext] = ["curl https://example.com/x", { protocol: "https" }];
    const its = [
      asks({ kind: "writeStdin", command: "rm -rf /" }),
      asks({ kind: "writeStdin", command: "ls" }),
      asks({ command, networkApprovalContext: { ...networkApprovalContext, host: "example.com" } }),
      asks({ command, networkApprovalContext: { ...networkApprovalContext, host: "ample.com" } }),
    ];
    expect(its.map((ask) => ask.matchesDialog?.(input))).toEqual([true, false, false, false]);
    expect(its.map((ask) => ask.matchesDialog?.(network))).toEqual([false, false, true, false]);
  });

  it("is raised from its dialog alone where the effect of a yes to its kind is unknown", () => {
    for (const kind of ["toString", "constructor", "__proto__"])
      expect(
        asked({
          method: "item/commandExecution/requestApproval",
          params: { kind, command: "x" },
          item: null,
        }),
      ).toBeNull();
  });

  it("is raised from its dialog alone where its changes were never sent", () => {
    const request = { method: "item/fileChange/requestApproval", params: { threadId: "mine", itemId: "x" } };
    expect(asked({ ...request, item: null })).toBeNull();
    expect(asked({ ...request, item: { type: "fileChange", changes: ["not told"] } })).toBeNull();
  });
});
