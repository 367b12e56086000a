/** A refused attempt at the hub's socket is on record with its kind and its process, and repeated attempts are counted in one row. */
import { describe, expect, it } from "vitest";
import { ROWS_MAX, WINDOW_MS } from "../../../../src/hub/ledger/incidents.js";
import { makeRig, type Rig } from "../rig.js";

const TRY = { step: "call_refused", sessionId: null, details: { call: "hub.stop", pid: 7 } } as const;

function rows(rig: Rig, step: string): { details: unknown }[] {
  return [...rig.store.audit.readAfter(0)]
    .filter((row) => row.step === step)
    .map(({ details }) => ({ details: JSON.parse(details) as unknown }));
}

describe("a refused attempt at the hub's socket", () => {
  it("is on record at once, with its kind and its process", async () => {
    const rig = await makeRig();
    rig.core.sessionAdmission.record(TRY);
    expect(rows(rig, "call_refused")).toEqual([{ details: { call: "hub.stop", pid: 7 } }]);
  });

  it("does not fill the record, however often it is tried: the rest of a while is counted in one row", async () => {
    const rig = await makeRig();
    for (let n = 0; n < ROWS_MAX + 1_000; n += 1) rig.core.sessionAdmission.record(TRY);
    expect(rows(rig, "call_refused")).toHaveLength(ROWS_MAX);
    rig.clock.advance(WINDOW_MS);
    expect(rows(rig, "refusals_counted")).toEqual([{ details: { call_refused: 1_000 } }]);
    rig.core.sessionAdmission.record(TRY);
    expect(rows(rig, "call_refused")).toHaveLength(ROWS_MAX + 1);
  });

  it("of one kind leaves room for every other", async () => {
    const rig = await makeRig();
    for (let n = 0; n < 2 * ROWS_MAX; n += 1) rig.core.sessionAdmission.record(TRY);
    rig.core.sessionAdmission.record({ ...TRY, step: "session_refused" });
    expect(rows(rig, "session_refused")).toHaveLength(1);
  });
});
