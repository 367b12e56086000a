/**
 * The hub serves a caller only after it has proved itself, opens a session only for its own process, and refuses a supervised
 * tool all answers.
 */
import { describe, expect, it } from "vitest";
import { Admission } from "../../../../src/hub/serve/admission.js";
import type { CallerProcess } from "../../../../src/hub/serve/caller-check.js";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { Incident } from "../../../../src/wire/connection-ends.js";
import { makeProof } from "../../../../src/wire/hub-proof.js";
import { HUB_CALLS } from "../../../../src/wire/messages.js";
import { openParams } from "../../../support/empty-core.js";
import { callerDouble, SECRET } from "../../../support/proven.js";

const OF_CALLER = "a challenge";
const [S1, S2] = [asId<SessionId>("s1"), asId<SessionId>("s2")];
const WORKER = { pid: 100, startTime: "5" };

/** The ledger knows the open session s1, of process 100. */
function makeAdmission(over: Partial<CallerProcess> = {}) {
  const incidents: Incident[] = [];
  const ledger = {
    findProcess: (sessionId: SessionId) => (sessionId === S1 ? WORKER : null),
    isOpen: (sessionId: SessionId) => sessionId === S1,
    record: (incident: Incident) => void incidents.push(incident),
  };
  const caller = callerDouble({ pid: 7, is: (pid, start) => pid === 7 && start === "3", ...over });
  const admission = new Admission({ ledger, caller, secret: SECRET });
  return { admission, incidents };
}

function proven(over: Partial<CallerProcess> = {}) {
  const made = makeAdmission(over);
  const { challenge = "" } = made.admission.challenge(OF_CALLER);
  made.admission.prove(proofFor(challenge));
  return made;
}

function proofFor(ofHub: string, callerPid = 7, secret = SECRET): string {
  return makeProof("caller", secret, { ofCaller: OF_CALLER, ofHub }, { callerPid, hubPid: process.pid });
}

const opening = (over: object) => ({ ...openParams("s2"), pid: 7, pidStartTime: "3", ...over });

describe("a caller that has not proved itself", () => {
  it("gets no answer but the greeting, and that is recorded", () => {
    const { admission, incidents } = makeAdmission();
    const methods = Object.keys(HUB_CALLS).filter((each) => !["hub.hello", "hub.prove"].includes(each));
    for (const method of methods) expect(() => admission.admit(method, {}, null)).toThrow("proof");
    expect(incidents).toHaveLength(methods.length);
    expect(incidents.map(({ details }) => details.reason)).toEqual(methods.map(() => "not_proven"));
  });

  it.each<[string, (challenge: string) => string]>([
    ["the proof of another process", (challenge) => proofFor(challenge, 8)],
    ["the proof of who knows another secret", (challenge) => proofFor(challenge, 7, Buffer.alloc(32, 1))],
    ["a proof for another challenge", () => proofFor("another")],
    [
      "the hub's own proof, sent back",
      (ofHub) =>
        makeProof("hub", SECRET, { ofCaller: OF_CALLER, ofHub }, { callerPid: 7, hubPid: process.pid }),
    ],
  ])("is not believed for %s", (_, make) => {
    const { admission, incidents } = makeAdmission();
    const { challenge = "" } = admission.challenge(OF_CALLER);
    expect(() => admission.prove(make(challenge))).toThrow("secret");
    expect(() => admission.prove(proofFor(challenge))).toThrow("secret");
    expect(incidents.map(({ details }) => details.reason)).toEqual(["wrong_proof", "wrong_proof"]);
  });
});

describe("a session of the hub", () => {
  it("is opened by the process that it names, and by no other", () => {
    const { admission, incidents } = proven();
    expect(admission.admitOpening(opening({}))).toBeNull();
    for (const other of [{ pid: 1 }, { pidStartTime: "4" }, { pidStartTime: null }])
      expect(() => admission.admitOpening(opening(other))).toThrow("not the process that it claims to be");
    expect(incidents.map(({ step, details }) => [step, details.reason])).toEqual(
      Array.from({ length: 3 }, () => ["session_refused", "wrong_process"]),
    );
  });

  it("is opened again by its own process only, and a refused takeover is recorded at that session", () => {
    const { admission, incidents } = proven();
    expect(() => admission.admitReopening(S1)).toThrow("belongs to another process");
    expect(incidents).toMatchObject([
      { step: "session_refused", sessionId: S1, details: { reason: "other_process", pid: 7 } },
    ]);
    expect(() => admission.admitReopening(S2)).not.toThrow();
    const own = proven({ is: (pid, start) => pid === WORKER.pid && start === WORKER.startTime });
    expect(() => own.admission.admitReopening(S1)).not.toThrow();
  });

  it("below a supervised tool is inside that tool's session, whatever it says", () => {
    const { admission } = proven({ supervisor: () => S1 });
    for (const inside of [null, "s1", "elsewhere"])
      expect(admission.admitOpening(opening({ inside }))).toBe(S1);
    expect(admission.isTool).toBe(true);
  });

  it("that says to run inside an open one, and does not descend from it, is refused", () => {
    const { admission, incidents } = proven();
    expect(() => admission.admitOpening(opening({ inside: "s1" }))).toThrow("does not descend");
    expect(incidents).toMatchObject([{ step: "session_refused", details: { reason: "not_inside" } }]);
    expect(admission.admitOpening(opening({ inside: "ended" }))).toBe("ended");
  });
});

describe("a supervised tool", () => {
  const CHANGING = [
    ["hub.stop", {}],
    ["hub.yield", {}],
    ["hub.reload", {}],
    ["hub.pause", { paused: false }],
    ["session.capture", { sessionId: "s1" }],
    ["pairing.begin", {}],
    ["hub.suspect", {}],
    ["a call that is new", {}],
  ] as const;

  it.each(CHANGING)("may not call %s, and that is recorded", (method, params) => {
    const { admission, incidents } = proven({ isSupervised: () => true, supervisor: () => S1 });
    expect(() => admission.admit(method, params, null)).toThrow("supervised");
    expect(incidents).toMatchObject([
      { step: "call_refused", sessionId: S1, details: { call: method, reason: "supervised", pid: 7 } },
    ]);
  });

  it("may look and pause, and its answers are for the ledger to turn away", () => {
    const { admission, incidents } = proven({ isSupervised: () => true });
    for (const method of ["hub.status", "prompts.list", "watch.subscribe", "prompt.answer"])
      admission.admit(method, {}, null);
    admission.admit("hub.pause", { paused: true }, null);
    expect(incidents).toEqual([]);
  });

  it("that has ended leaves nothing behind that may call more, but for a hub that makes way", () => {
    const { admission, incidents } = proven({ isLeftBehind: () => true });
    for (const [method, params] of CHANGING) {
      const isOpenToHubs = method === "hub.yield" || method === "hub.suspect";
      if (isOpenToHubs) admission.admit(method, params, null);
      else expect(() => admission.admit(method, params, null)).toThrow("left behind");
    }
    expect(incidents).toHaveLength(CHANGING.length - 2);
    expect(incidents).toMatchObject(incidents.map(() => ({ details: { reason: "supervised", pid: 7 } })));
  });

  it("is refused the same on the connection of its session", () => {
    const { admission, incidents } = proven();
    for (const method of ["hub.stop", "hub.reload", "session.capture"])
      expect(() => admission.admit(method, {}, S1)).toThrow("supervised");
    admission.admit("hub.suspect", {}, S1);
    expect(incidents).toHaveLength(3);
  });

  it("does not restrict the person's own commands", () => {
    const { admission } = proven();
    for (const [method, params] of CHANGING) admission.admit(method, params, null);
  });
});
