/** The ledger keeps the highest descent mark of its sessions' workers, because what they leave behind outlives the hub. */
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { makeRig } from "../rig.js";

it("keeps the highest mark that a worker had, also for the next hub", async () => {
  const rig = await makeRig();
  const { sessionAdmission } = rig.core;
  expect(sessionAdmission.highestMark).toBe(-1);
  for (const mark of [998, 1_000, 999, Infinity]) sessionAdmission.noteMark(mark);
  expect(sessionAdmission.highestMark).toBe(1_000);
  await rig.core.stop();
  const next = await makeRig({ path: rig.path, clock: rig.clock });
  expect(next.core.sessionAdmission.highestMark).toBe(1_000);
});

it("counts each descendant of a worker as left behind where another program removed the mark", async () => {
  const rig = await makeRig();
  rig.core.sessionAdmission.noteMark(1_000);
  await rig.core.stop();
  const database = new Database(rig.path);
  database.exec("DELETE FROM settings WHERE key = 'highest_mark'");
  database.close();
  const next = await makeRig({ path: rig.path, clock: rig.clock });
  expect(next.core.sessionAdmission.highestMark).toBe(Number.MAX_SAFE_INTEGER);
});
