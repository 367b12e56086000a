/**
 * Every step of a prompt is recorded in the audit once and in order, and does not happen when its row cannot be written. The
 * audit holds the digest of a typed text, not the text, and a changed row is found.
 */
import Database from "better-sqlite3";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatCanonicalJson } from "../../../../src/hub/audit/canonical.js";
import { openStore } from "../../../../src/hub/store/open-store.js";
import type { Store } from "../../../../src/hub/store/store.js";
import { makeRig, tempDirectory } from "../rig.js";
import { tamper } from "../../../support/tamper.js";

const STEPS = [
  "session_opened",
  "prompt_raised",
  "prompt_asked",
  "prompt_claimed",
  "injection_began",
] as const;

async function openAudited(redact = (text: string): string => text): Promise<{ store: Store; path: string }> {
  const path = join(tempDirectory(), "audit.db");
  const store = await openStore({ path, redact });
  return { store, path };
}

async function written(): Promise<string> {
  const { store, path } = await openAudited();
  STEPS.forEach((step, at) =>
    store.audit.append(at, {
      step,
      sessionId: `s${at}`,
      promptId: `p${at}`,
      identity: "chat:1",
      details: { at },
    }),
  );
  store.close();
  return path;
}

/** What somebody with the file and `sqlite3` can do. */
async function readVerdict(path: string) {
  const store = await openStore({ path, redact: (text) => text });
  const verdict = store.audit.verify();
  store.close();
  return verdict;
}

describe("canonical JSON", () => {
  it("has one form for one value, whatever the order of its keys", () => {
    expect(formatCanonicalJson({ b: 1, a: [true, null, { d: "x", c: undefined }] })).toBe(
      '{"a":[true,null,{"d":"x"}],"b":1}',
    );
    expect(formatCanonicalJson({ a: 1, b: 2 })).toBe(formatCanonicalJson({ b: 2, a: 1 }));
  });

  it.each([Number.NaN, Infinity, undefined, [undefined]])("refuses %s", (value) => {
    expect(() => formatCanonicalJson(value)).toThrow("without JSON form");
  });
});

describe("the audit", () => {
  it("verifies what it wrote, also in a later life", async () => {
    const path = await written();
    expect(await readVerdict(path)).toMatchObject({ intact: true, head: { count: STEPS.length } });
  });

  it.each([
    ["at", "99"],
    ["step", "'prompt_asked '"],
    ["session_id", "NULL"],
    ["prompt_id", "'p9'"],
    ["identity", "'chat:2'"],
    ["details", `'{"at": 2}'`],
    ["hash", "replace(hash, substr(hash, 1, 1), 'x')"],
  ])("names the row in which %s was changed", async (column, value) => {
    const path = await written();
    tamper(path, `UPDATE audit SET ${column} = ${value} WHERE position = 3`);
    expect(await readVerdict(path)).toEqual({ intact: false, position: 3, problem: "changed" });
  });

  it("names the row whose link was changed", async () => {
    const path = await written();
    tamper(path, "UPDATE audit SET previous = hash WHERE position = 3");
    expect(await readVerdict(path)).toEqual({ intact: false, position: 3, problem: "broken_link" });
  });

  it("notices a row that was removed, at either end or in the middle", async () => {
    for (const position of [1, 3]) {
      const path = await written();
      tamper(path, `DELETE FROM audit WHERE position = ${position}`);
      expect(await readVerdict(path)).toEqual({ intact: false, position, problem: "missing" });
    }
  });

  it("notices a row that was removed where the gap was closed", async () => {
    const path = await written();
    tamper(
      path,
      "DELETE FROM audit WHERE position = 2; UPDATE audit SET position = position - 1 WHERE position > 2",
    );
    expect(await readVerdict(path)).toEqual({ intact: false, position: 2, problem: "broken_link" });
  });

  it("notices two rows that changed places", async () => {
    const path = await written();
    tamper(
      path,
      `UPDATE audit SET position = 100 WHERE position = 2; UPDATE audit SET position = 2 WHERE position = 3;
       UPDATE audit SET position = 3 WHERE position = 100`,
    );
    expect(await readVerdict(path)).toEqual({ intact: false, position: 2, problem: "broken_link" });
  });

  it("notices a row that was inserted with a hash of its own", async () => {
    const path = await written();
    tamper(
      path,
      "INSERT INTO audit SELECT 6, at, step, session_id, prompt_id, identity, details, previous, hash FROM audit WHERE position = 5",
    );
    expect(await readVerdict(path)).toEqual({ intact: false, position: 6, problem: "broken_link" });
  });

  it("refuses to change or delete a row through SQL", async () => {
    const path = await written();
    const database = new Database(path);
    expect(() => database.exec("UPDATE audit SET at = 0")).toThrow("audit rows never change");
    expect(() => database.exec("DELETE FROM audit")).toThrow("audit rows never go");
    database.close();
  });

  it("redacts before it hashes, at any depth", async () => {
    const { store, path } = await openAudited((text) => text.replaceAll("hunter2", "[hidden]"));
    store.audit.append(1, { step: "hub_started", details: { a: ["hunter2"], b: { c: "x hunter2" } } });
    const [record] = store.audit.readAfter(0);
    expect(record?.details).toBe('{"a":["[hidden]"],"b":{"c":"x [hidden]"}}');
    expect(store.audit.verify().intact).toBe(true);
    store.close();
    expect(path).toBeTruthy();
  });
});

describe("every step of a prompt", () => {
  it("is on record, in order, once", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.begin(event);
    await rig.end(event);
    const steps = [...rig.store.audit.readAfter(0)].map(({ step }) => step);
    expect(steps).toEqual([
      "hub_started",
      "session_opened",
      "prompt_raised",
      "prompt_asked",
      "card_posted",
      "prompt_claimed",
      "injection_began",
      "injection_ended",
      "card_settled",
    ]);
    expect(rig.store.audit.verify().intact).toBe(true);
  });

  it("does not happen when its row cannot be written", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    rig.store.audit.append = () => {
      throw new Error("disk full");
    };
    await expect(rig.begin(event)).rejects.toThrow("disk full");
    expect(rig.readState(event)).toBe("answering");
    expect(rig.store.injections.findByPrompt(event.promptId)).toBeNull();
  });

  it("keeps typed text out of the audit; its digest is there", async () => {
    const rig = await makeRig();
    await rig.raise({ promptType: "free_text", choices: [], defaultChoice: null });
    await rig.chat.text("my private words", { ref: rig.chat.cards()[0]!.ref });
    const details = [...rig.store.audit.readAfter(0)].map((record) => record.details).join("\n");
    expect(details).not.toContain("private");
    expect(details).toContain("valueSha256");
  });
});
