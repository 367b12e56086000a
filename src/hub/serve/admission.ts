/**
 * Decides who may call what on one connection. Every caller first proves that it knows the secret. Only the process that a
 * session names may open it. A supervised tool may list, pause and run a session inside its own, nothing else. Refusals are
 * recorded.
 */
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { isSameProof, makeProof, createChallenge, type Challenges } from "../../wire/hub-proof.js";
import { SESSION_METHODS, type HubCalls, type ParamsOf, type ResultOf } from "../../wire/messages.js";
import type { CallerProcess } from "./caller-check.js";
import type { AdmissionPort } from "./hub-service.js";

type Method = keyof HubCalls;
type Hello = ResultOf<HubCalls, "hub.hello">;

const BEFORE_PROOF: readonly Method[] = ["hub.hello", "hub.prove"];

/** A supervised tool may make calls that change nothing, and calls that the ledger itself refuses. A new call is added by name. */
const OPEN_TO_TOOLS: ReadonlySet<string> = new Set<Method>([
  ...BEFORE_PROOF,
  ...SESSION_METHODS,
  "session.open",
  "hub.start_refused",
  "hub.status",
  "prompts.list",
  "sessions.list",
  "prompt.details",
  "prompt.history",
  "prompt.wait",
  "watch.subscribe",
  "prompt.answer",
  "prompt.again",
]);

/** Open to what a session left behind, because a hub that a worker started is such a process, too. Neither answers a prompt. */
const OPEN_TO_HUBS: ReadonlySet<string> = new Set<Method>(["hub.yield", "hub.suspect"]);

export interface AdmissionParts {
  readonly ledger: Pick<AdmissionPort, "findProcess" | "isOpen" | "record">;
  readonly caller: CallerProcess;
  readonly secret: Buffer;
}

export class Admission {
  readonly #ledger: AdmissionParts["ledger"];
  readonly #caller: CallerProcess;
  readonly #secret: Buffer;
  #challenges: Challenges | null = null;
  #isProven = false;

  constructor({ ledger, caller, secret }: AdmissionParts) {
    this.#ledger = ledger;
    this.#caller = caller;
    this.#secret = secret;
  }

  challenge(ofCaller: string | undefined): Pick<Hello, "challenge" | "proof"> {
    if (ofCaller === undefined) return {};
    this.#challenges = { ofCaller, ofHub: createChallenge() };
    return { challenge: this.#challenges.ofHub, proof: this.#computeProof("hub", this.#challenges) };
  }

  /** Errors: ATB_HUB_REFUSED. A challenge is valid for one attempt. */
  prove(proof: string): void {
    const challenges = this.#challenges;
    this.#challenges = null;
    if (!challenges || !isSameProof(proof, this.#computeProof("caller", challenges)))
      throw this.#refuse("hub.prove", "wrong_proof", "the caller does not know the secret of this hub");
    this.#isProven = true;
  }

  /** Errors: ATB_HUB_REFUSED. `sessionId`: the session that this connection has opened. */
  admit(method: string, params: object, sessionId: SessionId | null): void {
    if (!(BEFORE_PROOF as readonly string[]).includes(method) && !this.#isProven)
      throw this.#refuse(method, "not_proven", `${method} needs a proof that the caller is of this user`);
    if ((SESSION_METHODS as readonly string[]).includes(method))
      this.#admitSession(method, params, sessionId);
    else if (!OPEN_TO_TOOLS.has(method)) this.#admitPerson(method, params, sessionId);
  }

  get isTool(): boolean {
    return this.#caller.supervisor() !== null;
  }

  /** Only the process that opened a session may open it again. Errors: ATB_HUB_REFUSED. */
  admitReopening(sessionId: SessionId): void {
    const known = this.#ledger.findProcess(sessionId);
    if (known && !this.#caller.is(known.pid, known.startTime))
      throw this.#refuse(
        "session.open",
        "other_process",
        "the session belongs to another process",
        sessionId,
      );
  }

  /** The session that contains this one. Errors: ATB_HUB_REFUSED for a process that makes a false claim. */
  admitOpening(params: ParamsOf<HubCalls, "session.open">): SessionId | null {
    const sessionId = asId<SessionId>(params.sessionId);
    if (!this.#caller.is(params.pid, params.pidStartTime))
      throw this.#refuse(
        "session.open",
        "wrong_process",
        "the caller is not the process that it claims to be",
        sessionId,
      );
    const outer = this.#caller.supervisor();
    const innerSession = params.inside === null ? null : asId<SessionId>(params.inside);
    if (outer !== null || innerSession === null || this.#caller.pid === null) return outer ?? innerSession;
    if (this.#ledger.isOpen(innerSession))
      throw this.#refuse(
        "session.open",
        "not_inside",
        "the caller does not descend from the session that it names",
        innerSession,
      );
    return innerSession;
  }

  /** Anybody may pause, because pausing only makes things safer. */
  #admitPerson(method: string, params: { paused?: unknown }, sessionId: SessionId | null): void {
    if (method === "hub.pause" && params.paused === true) return;
    if (method === "hub.suspect" && sessionId !== null) return;
    const isLeftBehind = !OPEN_TO_HUBS.has(method) && this.#caller.isLeftBehind();
    if (sessionId === null && !isLeftBehind && !this.#caller.isSupervised()) return;
    const why =
      "not allowed for a supervised tool, for what it has left behind, or for an unidentifiable caller";
    throw this.#refuse(method, "supervised", `${method}: ${why}`, sessionId ?? this.#caller.supervisor());
  }

  #admitSession(method: string, params: { sessionId?: unknown }, sessionId: SessionId | null): void {
    if (!sessionId) throw this.#refuse(method, "no_session", `${method} needs an open session`);
    if (params.sessionId !== undefined && params.sessionId !== sessionId)
      throw this.#refuse(
        method,
        "other_session",
        `${method} is about another session than this connection's`,
        sessionId,
      );
  }

  /** Records a refusal by the ledger, or one that the caller reports. */
  record(call: string, reason: string, sessionId: SessionId | null): void {
    const details = { call, reason, pid: this.#caller.pid };
    this.#ledger.record({ step: "call_refused", sessionId, details });
  }

  #refuse(
    call: string,
    reason: string,
    message: string,
    sessionId: SessionId | null = null,
  ): AtlasBridgeError {
    const step = call === "session.open" ? "session_refused" : "call_refused";
    this.#ledger.record({ step, sessionId, details: { call, reason, pid: this.#caller.pid } });
    const hint = reason === "supervised" ? "Use a terminal outside of any session." : "";
    return new AtlasBridgeError("ATB_HUB_REFUSED", message, { hint });
  }

  #computeProof(prover: "hub" | "caller", challenges: Challenges): string {
    const { pid: callerPid } = this.#caller;
    const hubPid = callerPid === null ? null : process.pid;
    return makeProof(prover, this.#secret, challenges, { callerPid, hubPid });
  }
}
