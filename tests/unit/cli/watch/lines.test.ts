/**
 * A line that is typed in `watch` names its prompt by its short id and answers it. A bare answer without a selected prompt
 * answers nothing.
 */
import { describe, expect, it } from "vitest";
import type { WatchAnswer } from "../../../../src/cli/watch/answers.js";
import { WatchLines } from "../../../../src/cli/watch/lines.js";
import type { WatchedPrompt } from "../../../../src/client/watch-hub.js";
import { hubWith, NOW, watchedPrompt } from "./scenes.js";

const prompt = (shortId: string, over: Partial<WatchedPrompt> = {}): WatchedPrompt =>
  watchedPrompt({ shortId, promptId: shortId, ...over });
const [k7, m2, text] = [prompt("k7"), prompt("m2"), prompt("tx", { type: "free_text" })];

/** What is given or printed after the lines. */
async function take(lines: readonly string[], open = [k7, m2, text], ended: readonly WatchedPrompt[] = []) {
  const given: (readonly [string, WatchAnswer])[] = [];
  const done: string[] = [];
  let printed: readonly string[] = [];
  const view = new WatchLines({
    print: (shown) => (printed = shown),
    quit: () => done.push("quit"),
    callPerson: () => undefined,
    answer: (...answer) => Promise.resolve(String(given.push(answer))),
    askAgain: (promptId) => {
      done.push(`again ${promptId}`);
      return Promise.resolve({ text: "asked again", again: false });
    },
    now: () => NOW,
  });
  view.refreshed(hubWith(open));
  for (const each of ended) view.settled(each, { text: "no proof", again: true });
  printed = [];
  for (const line of lines) await view.take(line);
  return { given, done, printed: printed.join("\n") };
}

const given = async (line: string, open?: WatchedPrompt[]) => (await take([line], open)).given;

describe("a line typed in watch", () => {
  it("approves what is hidden only in words that say so", async () => {
    const content = { text: "", cut: null, hidden: { characters: 37, kinds: ["token"] } };
    const hidden = [{ ...k7, content }];
    expect(await given("k7 1", hidden)).toEqual([["k7", { value: "1" }]]);
    expect(await given("k7 accept hidden 1", hidden)).toEqual([["k7", { value: "1", acceptHidden: true }]]);
    expect(await given("tx accept hidden 1")).toEqual([["tx", { value: "accept hidden 1" }]]);
  });

  it("with short id and value answers that question", async () => {
    expect(await given("k7 2")).toEqual([["k7", { value: "2" }]]);
    expect(await given("  K7   2 ")).toEqual([["k7", { value: "2" }]]);
  });

  it("takes what follows the number of a choice as its text", async () => {
    expect(await given("k7 3 use pnpm instead")).toEqual([["k7", { value: "3", text: "use pnpm instead" }]]);
  });

  it("is one text where a text is asked, numbers in front or not", async () => {
    expect(await given("tx 2 words and more")).toEqual([["tx", { value: "2 words and more" }]]);
  });

  it("with a short id alone selects, and the next line is the answer", async () => {
    expect(await take(["m2"])).toMatchObject({
      given: [],
      printed: expect.stringContaining("answer to m2") as string,
    });
    expect((await take(["m2", "1", "2"])).given).toEqual([["m2", { value: "1" }]]);
    expect((await take(["tx", "q"])).given).toEqual([["tx", { value: "q" }]]);
    expect((await take(["m2", "", "1"])).given).toEqual([]);
  });

  it("with a bare answer answers nothing, not even a single open question", async () => {
    for (const line of ["y", "1", "yes", "enter", ""]) expect(await given(line, [k7])).toEqual([]);
  });

  it("with several short ids answers the same request, asked several times", async () => {
    expect(await given("k7,M3 1", [])).toEqual([["k7,M3", { value: "1", alike: ["k7", "m3"] }]]);
  });

  it("asks again a settled question that may still stand, and no other", async () => {
    expect((await take(["again M2"], [k7], [m2])).done).toEqual(["again m2"]);
    expect(await take(["again k7"], [k7], [m2])).toMatchObject({ given: [], done: [] });
    expect((await take(["tx", "again m2"], [text], [m2])).given).toEqual([["tx", { value: "again m2" }]]);
  });

  it("with an unknown short id says which ones are open", async () => {
    expect((await take(["zz 1"])).printed).toContain("open: k7, m2, tx.");
    expect((await take(["zz 1"], [])).printed).toBe("No prompt is open.");
  });

  it("q quits, and l lists", async () => {
    expect((await take(["q"])).done).toEqual(["quit"]);
    expect((await take(["l"])).printed).toContain("npm test");
    expect((await take(["l"], [])).printed).toBe("No open prompts.");
  });
});
