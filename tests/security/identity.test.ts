/**
 * No program of the user that a supervised tool starts can approve what the tool asks, neither as the user who runs the tests nor
 * as an ordinary one. Each attempt is on record. docs/explanation/threat-model.md says what root and other programs of the user
 * can do.
 */
import { existsSync, readFileSync, writeFileSync, chownSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ListedPrompt, ListedSession } from "../../src/wire/listings.js";
import { PROTOCOL_VERSION } from "../../src/wire/messages.js";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { TEST_HANG_MS } from "../support/hang-guards.js";
import { notLinux, skipped } from "../support/skipped.js";
import { waitFor } from "../support/wait-for.js";
import { triesIn, type Try } from "./support/attacks/tries.js";
import { noOtherUser, OTHER_UID } from "../support/other-user.js";

const SUPPORT = join(import.meta.dirname, "support/attacks");
const EARLY = "answers as an orphan that was made before anything else";

type Launch = "child" | "unmarked" | "setsid" | "orphan" | "terminal";
/** What must stand in the audit, or in the log while there is no hub; null where the kernel itself refuses and no hub hears of it. */
type Expected = RecordedStep | { readonly logged: string } | null;

interface RecordedStep {
  readonly step: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Its details name the process that tried. */
  readonly namesCaller?: boolean;
}

interface Attack {
  readonly name: string;
  readonly launch: Launch;
  readonly record: Expected;
  /** It says this when it was made and refused. Without it, only the record tells. */
  readonly refusal?: RegExp;
  /** Nothing stops root from it. */
  readonly exceptRoot?: true;
}

const REJECTED: RecordedStep = { step: "answer_rejected", details: { code: "supervised" } };
const refused = (call: string, reason: string): Expected => ({
  step: call === "session.open" ? "session_refused" : "call_refused",
  details: { call, reason },
  namesCaller: call !== "hub.start",
});
const mended = (damage: string): Expected => ({ step: "hub_place_mended", details: { damage } });

const ANSWERS: readonly Attack[] = [
  { name: EARLY, launch: "orphan", record: REJECTED },
  { name: "answers as a child", launch: "child", record: REJECTED },
  { name: "answers without the mark", launch: "unmarked", record: REJECTED },
  { name: "answers from a session of its own", launch: "setsid", record: REJECTED },
  { name: "answers as an orphan with an empty environment", launch: "orphan", record: REJECTED },
  { name: "answers as an orphan in a terminal of its own", launch: "terminal", record: REJECTED },
  { name: "answers without a proof", launch: "orphan", record: refused("prompt.answer", "not_proven") },
  {
    name: "answers with the proof of another connection",
    launch: "orphan",
    record: refused("hub.prove", "wrong_proof"),
  },
  { name: "proves itself as the worker", launch: "orphan", record: refused("hub.prove", "wrong_proof") },
  { name: "passes a connection on and ends", launch: "orphan", record: REJECTED },
];

const SESSIONS: readonly Attack[] = [
  ...[
    "takes its own session over",
    "takes its own session over as process 1",
    "takes its own session over in the worker's name",
    "takes another session over",
    "calls another session too old",
  ].map((name): Attack => ({ name, launch: "orphan", record: refused("session.open", "other_process") })),
  {
    name: "opens a session as another process",
    launch: "orphan",
    record: refused("session.open", "wrong_process"),
  },
  { name: "answers from a session inside", launch: "child", record: REJECTED },
  {
    name: "opens a session of a newer program inside",
    launch: "orphan",
    record: { step: "session_opened", namesCaller: true },
  },
  {
    name: "begins an injection from a session inside",
    launch: "orphan",
    record: refused("injection.begin", "ledger"),
  },
  {
    name: "withdraws the question from a session inside",
    launch: "orphan",
    record: refused("prompt.withdraw", "ledger"),
  },
  {
    name: "speaks for another session from a session inside",
    launch: "orphan",
    record: refused("session.close", "other_session"),
  },
];

const STEERING: readonly Attack[] = [
  ["stops the hub", "hub.stop"],
  ["has the hub make way", "hub.yield"],
  ["has the configuration read again", "hub.reload"],
  ["resumes what was paused", "hub.pause"],
  ["pairs a phone", "pairing.begin"],
  ["captures another session", "session.capture"],
  ["cries wolf", "hub.suspect"],
].map(([name = "", call = ""]) => ({ name, launch: "orphan", record: refused(call, "supervised") }));

const STARTS_NO_HUB = { record: refused("hub.start", "supervised"), refusal: /ATB_SUPERVISED/ };

const PLACES: readonly Attack[] = [
  { name: "writes a wrong address", launch: "orphan", record: mended("address") },
  { name: "plays the hub at an address of its own", launch: "orphan", record: mended("address") },
  { name: "plays the hub in the hub's own place", launch: "orphan", record: mended("socket") },
  { name: "writes another secret", launch: "orphan", record: mended("secret") },
  { name: "starts a hub with code of its own in it", launch: "child", ...STARTS_NO_HUB },
  { name: "starts a hub beside the hub", launch: "child", ...STARTS_NO_HUB },
];

/** `ptrace` says -1; to open a file of another process fails with one of these codes. */
const BY_KERNEL = /^(?:-1|EACCES|EPERM|pidfd -?\d+, taken: false)$/;

const PROCESSES: readonly Attack[] = [
  "traces the hub",
  "traces its worker",
  "writes the hub's memory",
  "writes its worker's memory",
  "opens the hub's own files",
  "takes a connection out of its worker",
].map((name) => ({ name, launch: "orphan", record: null, refusal: BY_KERNEL, exceptRoot: true }));

/** The hub is gone when these begin. */
const KILLERS: readonly Attack[] = [
  {
    name: "kills the hub and starts one without the mark",
    launch: "child",
    record: null,
  },
  {
    name: "kills the hub and plays it, with its lock in hand",
    launch: "orphan",
    record: { logged: "something else listens in the hub's place" },
  },
];

const ATTACKS = [...ANSWERS, ...SESSIONS, ...STEERING, ...PLACES, ...PROCESSES, ...KILLERS];

interface Row {
  readonly step: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function readRows({ paths }: HubHome): Row[] {
  const database = new Database(paths.database, { readonly: true });
  try {
    const rows = database.prepare("SELECT step, details FROM audit").all() as Record<string, string>[];
    return rows.map(({ step = "", details = "" }) => ({
      step,
      details: JSON.parse(details) as Row["details"],
    }));
  } finally {
    database.close();
  }
}

/** Whether the log holds this message about the process that tried. */
function isLogged({ paths }: HubHome, msg: string, { pid }: Try): boolean {
  const lines = readFileSync(paths.hubLog, "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { readonly msg: string; readonly listener?: number })
    .some((line) => line.msg === msg && line.listener === pid);
}

/** What is wrong with the attack's outcome; null: it was blocked, and is on record. */
function findProblem(attack: Attack, outcomes: readonly Try[], home: HubHome): string | null {
  const outcome = outcomes.find(({ name }) => name === attack.name);
  if (!outcome) return "it said nothing";
  if (outcome.hung === true) return `it proved nothing: ${outcome.said}`;
  if (outcome.approved) return `it got through: ${outcome.said}`;
  const { record, refusal } = attack;
  const wasRefused = record === REJECTED ? outcome.rejection === "supervised" : refusal?.test(outcome.said);
  if (wasRefused === false) return `it proved nothing: ${outcome.said}`;
  if (record === null) return null;
  const isOnRecord =
    "logged" in record
      ? isLogged(home, record.logged, outcome)
      : countRows(readRows(home), record, outcome) >= countExpected(record, outcomes);
  return isOnRecord ? null : `it is not on record: ${outcome.said}`;
}

function countRows(rows: readonly Row[], record: RecordedStep, { pid }: Try): number {
  const wanted = Object.entries({ ...record.details, ...(record.namesCaller && { pid }) });
  return rows.filter(
    ({ step, details }) => step === record.step && wanted.every(([name, value]) => details[name] === value),
  ).length;
}

/** Attacks that leave the same record leave as many of them. */
function countExpected(record: RecordedStep, outcomes: readonly Try[]): number {
  if (record.namesCaller) return 1;
  if (record === REJECTED) return outcomes.filter(({ rejection }) => rejection === "supervised").length;
  return ATTACKS.filter((each) => JSON.stringify(each.record) === JSON.stringify(record)).length;
}

/** Runs the attacks from inside a session, and tells what came of each. */
async function attackIn(home: HubHome): Promise<{ outcomes: Try[]; typed: string | undefined }> {
  const log = join(home.folder, "tries.log");
  const context = join(home.folder, "attacks.json");
  const attacks = ATTACKS.filter(({ name }) => name !== EARLY);
  const { socket } = home.paths;
  const given = {
    socket,
    log,
    main: MAIN,
    protocol: PROTOCOL_VERSION,
    label: "attacker",
    victim: "victim",
    attacks,
  };
  writeFileSync(context, JSON.stringify(given), { mode: 0o644 });
  const ask = 'printf \'Go on? [y/N] \'; read line; echo "$line" > "$1"';
  const typedThere = join(home.folder, "victim.typed");
  const victim = home.start("run", "--label", "victim", "sh", "-c", ask, "sh", typedThere);
  const victimEnded = new Promise((resolve) => victim.once("close", resolve));
  const early = `(env -i setsid "$0" "$1/attack.mjs" "$2" "${EARLY}" >/dev/null 2>&1 &); exec "$0" "$1/tool.mjs" "$2"`;
  const run = home.start("run", "--label", "attacker", "sh", "-c", early, process.execPath, SUPPORT, context);
  const exited = new Promise((resolve) => run.once("close", resolve));
  await eventually(() => triesIn(log).some(({ name }) => name === "done"), TEST_HANG_MS);

  // The question still stands, and a person answers it.
  const open = await eventually(() => findQuestion(home));
  await home.data("answer", open.shortId, "n");
  await exited;
  expect(existsSync(typedThere)).toBe(false);
  victim.kill("SIGTERM");
  await victimEnded;
  const told = triesIn(log);
  return { outcomes: told, typed: told.find(({ name }) => name === "typed")?.line };
}

/** The last attack has killed the hub: the next one may not serve yet. */
async function findQuestion(home: HubHome): Promise<ListedPrompt | null> {
  const sessions = await home.data<ListedSession[]>("sessions").catch(() => []);
  const own = sessions.find(({ label, connected }) => label === "attacker" && connected);
  const prompts = own ? await home.data<ListedPrompt[]>("prompts").catch(() => []) : [];
  return prompts.find(({ sessionId }) => sessionId === own?.sessionId) ?? null;
}

async function expectNoApproval(uid?: number): Promise<void> {
  const home = new HubHome(uid === undefined ? {} : { uid });
  if (uid !== undefined) chownSync(home.folder, uid, uid);
  try {
    const { outcomes, typed } = await attackIn(home);
    expect(typed).toBe("n");
    const isRoot = uid === undefined && process.getuid?.() === 0;
    const counted = ATTACKS.filter(({ exceptRoot = false }) => !(isRoot && exceptRoot));
    const listProblems = (): string[] =>
      counted.flatMap((attack) => {
        const problem = findProblem(attack, outcomes, home);
        return problem === null ? [] : `${attack.name}: ${problem}`;
      });
    await waitFor(() => expect(listProblems()).toEqual([]));
    console.log(
      `${counted.length} attacks as ${isRoot ? "root" : "an ordinary user"}: 0 approvals, all on record`,
    );
  } finally {
    await home.close();
  }
}

describe.skipIf(skipped(notLinux))("what a supervised tool starts approves nothing", () => {
  const options = { timeout: TEST_HANG_MS, concurrent: true };

  it("as the user who runs these tests", options, () => expectNoApproval());

  it.skipIf(skipped(noOtherUser()))("as an ordinary user", options, () => expectNoApproval(OTHER_UID));
});
