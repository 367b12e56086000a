/** Edits that a server of threads changes while they are open are raised anew, and an answer to the old edits does not count. */
import { describe, expect, it } from "vitest";
import { talkToAppServer, THREAD, TURN, type AppServerTalk } from "../../../../support/app-server-talk.js";
import { waitFor } from "../../../../support/wait-for.js";

const OF_OURS = { threadId: THREAD, turnId: TURN };
const changing = (diff: string) => [{ path: "a.txt", kind: { type: "add" }, diff }];

function patched(talk: AppServerTalk, diff: string, itemId = "i"): void {
  talk.tell({
    method: "item/fileChange/patchUpdated",
    params: { ...OF_OURS, itemId, changes: changing(diff) },
  });
}

/** In a turn in which an edit has begun and is asked about. */
async function asking(): Promise<AppServerTalk> {
  const talk = await talkToAppServer();
  void talk.turn();
  const item = { type: "fileChange", id: "i", status: "inProgress", changes: changing("harmless") };
  talk.tell({ method: "item/started", params: { ...OF_OURS, item, startedAtMs: 1 } });
  talk.tell({
    method: "item/fileChange/requestApproval",
    id: 3,
    params: { ...OF_OURS, itemId: "i", startedAtMs: 1 },
  });
  await waitFor(() => expect(talk.raised).toHaveLength(1));
  return talk;
}

describe("edits that are sent again", () => {
  it("are raised anew, and the prompt for the old ones is withdrawn without an answer", async () => {
    const talk = await asking();
    patched(talk, "evil");
    await waitFor(() => expect(talk.raised).toHaveLength(2));
    expect(talk.raised.map(({ content }) => content.text.split("\n").at(-1))).toEqual(["harmless", "evil"]);
    await talk.read();
    expect(talk.said().filter(({ id, method }) => id === 3 && method === undefined)).toEqual([]);
    talk.server.close();
  });

  it("are raised once where they have not changed, or other edits were sent", async () => {
    const talk = await asking();
    patched(talk, "harmless");
    patched(talk, "evil", "another");
    await talk.read();
    expect(talk.raised).toHaveLength(1);
    talk.server.close();
  });
});
