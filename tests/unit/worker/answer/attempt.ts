/** Puts one answer in, with the time driven by hand. */
import { asId, type Fingerprint } from "../../../../src/model/ids.js";
import type { Receipt } from "../../../../src/model/answer/receipt.js";
import type { InjectionGate, InjectionResult } from "../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import { injectAnswer, type InjectOptions } from "../../../../src/worker/answer/inject.js";
import { drive, GROUP, type FakePort } from "./fake-port.js";
import { makeCandidate, replyTo } from "./make.js";

export const open: InjectionGate = () => Promise.resolve();

/** A gate that opens after something has happened. */
export function after(happen: () => void): InjectionGate {
  return () => {
    happen();
    return Promise.resolve();
  };
}

export interface Attempt {
  readonly text?: string;
  readonly gate?: InjectionGate;
  readonly options?: Partial<InjectOptions>;
}

export function inject(
  port: FakePort,
  raised: Candidate,
  value: string,
  { text, gate = open, options = {} }: Attempt = {},
): Promise<InjectionResult> {
  const all = { raisedGroup: GROUP, ...options };
  return drive(port.clock, injectAnswer(port, raised, replyTo(raised, value, text), gate, all));
}

export async function requireReceipt(result: Promise<InjectionResult>): Promise<Receipt> {
  const got = await result;
  if (got.kind !== "receipt") throw new Error(`refused: ${got.rejection.code}`);
  return got.receipt;
}

/** The question that follows, unexpectedly. */
export const other = makeCandidate({
  question: "Do you want to delete it?",
  fingerprint: asId<Fingerprint>("other"),
});
