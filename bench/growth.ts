/**
 * How cost grows with what a hub keeps: its start, memory, a list, an answer and `audit verify` with an empty ledger, with ten thousand
 * open prompts and with a million settled ones. Linux only.
 */
import { identifyHub } from "../src/client/connect/meet-hub.js";
import { openStore } from "../src/hub/store/open-store.js";
import { asId, type SessionId } from "../src/model/ids.js";
import { systemRandom } from "../src/observe/random.js";
import { makeLargeLedger } from "../tests/security/support/large-ledger.js";
import { FakeWorker } from "../tests/support/fake-worker.js";
import { eventually, HubHome } from "../tests/support/hub-home.js";
import { median, quantile, short, type Report } from "./figures.js";
import { residentMegabytes } from "./processes.js";

interface Case {
  readonly title: string;
  /** Settled prompts of years that the hub finds at its start. */
  readonly settled: number;
  /** Prompts that wait for an answer while it is measured. */
  readonly open: number;
  /** Rows of the audit log that the hub finds at its start. */
  readonly auditRows: number;
}

const CASES: readonly Case[] = [
  { title: "empty", settled: 0, open: 0, auditRows: 0 },
  { title: "10,000 open prompts", settled: 0, open: 10_000, auditRows: 0 },
  { title: "1,000,000 settled prompts", settled: 1_000_000, open: 0, auditRows: 0 },
  { title: "1,000,000 audit rows", settled: 0, open: 0, auditRows: 1_000_000 },
];
const ANSWERS = 50;
/** The open prompts are spread over so many sessions. */
const SESSIONS = 10;
const RAISED_AT_ONCE = 50;
/** Rows of one transaction: a transaction for each row would take hours. */
const ROWS_A_WRITE = 10_000;
/** Of fewer rows the rate would be that of the command's own start. */
const ROWS_TOLD_MIN = 10_000;
const START_WITHIN_MS = 120_000;

export async function growth(): Promise<readonly Report[]> {
  const rows: string[][] = [];
  for (const each of CASES) rows.push(await measure(each));
  const text = `What a hub costs by what it keeps. Claim: from \`answer\`'s call to the hub's word that the answer is taken, ${ANSWERS} answers, one after the other. List: the first page of open prompts.`;
  const columns = [
    "ledger",
    "start, ms",
    "hub, MB",
    "claim, median ms",
    "claim, p95 ms",
    "list, ms",
    "audit verify, rows/s",
  ];
  return [{ title: "A growing ledger", text, columns, rows }];
}

async function measure({ title, settled, open, auditRows }: Case): Promise<string[]> {
  const home = new HubHome();
  const workers: FakeWorker[] = [];
  try {
    if (settled > 0) await makeLargeLedger(home.paths.database, settled);
    if (auditRows > 0) await writeAuditRows(home.paths.database, auditRows);
    const begun = performance.now();
    home.start("hub", "start", "--foreground");
    const pid = await eventually(() => home.hubPid(), START_WITHIN_MS);
    const startMs = performance.now() - begun;
    for (let n = 0; n < SESSIONS; n += 1) workers.push(new FakeWorker(home.paths));
    await raiseAll(workers, open);
    const { claims, listMs } = await answerSome(home, workers[0]!);
    const resident = residentMegabytes(pid);
    for (const worker of workers) worker.close();
    return [
      title,
      short(startMs),
      short(resident),
      short(median(claims)),
      short(quantile(claims, 0.95)),
      short(listMs),
      await verifyRate(home),
    ];
  } finally {
    for (const worker of workers) worker.close();
    await home.close();
  }
}

async function writeAuditRows(database: string, count: number): Promise<void> {
  const store = await openStore({ path: database, redact: (text) => text });
  for (let done = 0; done < count; done += ROWS_A_WRITE)
    store.write(() => {
      for (let n = 0; n < ROWS_A_WRITE; n += 1)
        store.audit.append(Date.now(), {
          step: "card_posted",
          sessionId: asId<SessionId>("old"),
          promptId: null,
          details: { channel: "telegram", place: "1001", deliveryId: `d${done + n}` },
        });
    });
  store.close();
}

async function raiseAll(workers: readonly FakeWorker[], count: number): Promise<void> {
  for (let done = 0; done < count; done += RAISED_AT_ONCE)
    await Promise.all(
      Array.from({ length: RAISED_AT_ONCE }, (_, n) => workers[(done + n) % workers.length]!.raise()),
    );
}

async function answerSome(
  home: HubHome,
  worker: FakeWorker,
): Promise<{ readonly claims: readonly number[]; readonly listMs: number }> {
  const { hub } = (await identifyHub({ paths: home.paths }))!;
  const claims: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) {
    const shortId = await worker.raise();
    const begun = performance.now();
    const { claimed } = await hub.call("prompt.answer", {
      shortId,
      value: "1",
      replyId: systemRandom.uuid(),
    });
    claims.push(performance.now() - begun);
    if (!claimed) throw new Error(`the answer to ${shortId} was refused`);
    await eventually(() => worker.replies.length > n);
  }
  const begun = performance.now();
  await hub.call("prompts.list", { all: false });
  const listMs = performance.now() - begun;
  hub.close();
  return { claims, listMs };
}

/** Rows a second, the command's own start included. */
async function verifyRate(home: HubHome): Promise<string> {
  const begun = performance.now();
  const { code, stdout, stderr } = await home.run("audit", "verify");
  const seconds = (performance.now() - begun) / 1_000;
  const rows = Number(/([\d,]+) rows/.exec(stdout)?.[1]?.replaceAll(",", ""));
  if (code !== 0 || !Number.isFinite(rows)) throw new Error(`audit verify: ${stdout}${stderr}`);
  return rows < ROWS_TOLD_MIN ? "–" : short(rows / seconds);
}
