/** The receipt of an answer to a server of sessions is that answer's own, however many are on their way beside it. */
import { expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import type { Receipt } from "../../../../../src/model/answer/receipt.js";
import type { Answered } from "../../../../support/session-server-double.js";
import { granted, replyTo } from "../../../../support/acp-agent.js";
import { talkToSessionServer } from "../../../../support/session-server-talk.js";

const NO_SUCH_REQUEST: Answered = { status: 404, body: null };
const BROKEN: Answered = { status: 500, body: null };
const place = (id: string): string => `/permission/${id}/reply`;

/** The receipts of answers that are given in one instant to as many permissions. */
async function readReceipts(ids: readonly string[], answers: Readonly<Record<string, Answered>>) {
  const talk = await talkToSessionServer({ answers });
  try {
    for (const id of ids) {
      const metadata = { command: `echo ${id}` };
      const asked = { id, sessionID: "ses_1", permission: "bash", patterns: [], metadata, always: [] };
      expect(await talk.ask({ type: "permission.asked", properties: asked })).toBe("asked");
    }
    const give = async (event: PromptEvent): Promise<Receipt> => {
      const result = await talk.pendingRequests.answer(replyTo(event, "1"), granted);
      if (result.kind !== "receipt") throw new Error("it was not given");
      return result.receipt;
    };
    return await Promise.all(talk.raised.map(give));
  } finally {
    await talk.close();
  }
}

it.each([0, 1])("of two answers of one instant number %i alone was not taken", async (lost) => {
  const ids = ["per_1", "per_2"];
  const receipts = await readReceipts(ids, { [place(ids[lost]!)]: NO_SUCH_REQUEST });
  expect(receipts[lost]?.outcome).toBe("failed");
  expect(receipts[1 - lost]?.outcome).toBe("answered");
});

it.each([
  ["acknowledged", {}, "answered", "the tool acknowledged the decision"],
  [
    "did not wait for",
    { [place("per_1")]: NO_SUCH_REQUEST },
    "failed",
    "the tool had stopped waiting for the decision",
  ],
  [
    "met with an error",
    { [place("per_1")]: BROKEN },
    "uncertain",
    "the tool answered the decision with an error",
  ],
] as const)(
  "an answer that the server %s has a receipt that says so",
  async (_, answers, outcome, evidence) => {
    expect(await readReceipts(["per_1"], answers)).toMatchObject([{ outcome, evidence }]);
  },
);

it("says that the connection ended, where nothing tells whether the tool did", async () => {
  const talk = await talkToSessionServer();
  const metadata = { command: "ls" };
  const asked = { id: "per_1", sessionID: "ses_1", permission: "bash", patterns: [], metadata, always: [] };
  await talk.ask({ type: "permission.asked", properties: asked });
  const given = talk.pendingRequests.answer(replyTo(talk.raised[0]!, "1"), async () => {
    await talk.double.close();
  });
  expect(await given).toMatchObject({
    receipt: {
      outcome: "uncertain",
      evidence: "the connection to the tool ended while it was given the decision",
    },
  });
  talk.server.close();
});
