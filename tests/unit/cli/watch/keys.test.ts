/** The keys of `watch` move in the list, choose an answer on the page of a prompt, and send no answer by accident. */
import { describe, expect, it } from "vitest";
import { hubWith, onPage, watch, watchedPrompt, watchedSession } from "./scenes.js";

const given = (prompt = watchedPrompt(), ...keys: readonly string[]) => onPage(prompt, ...keys).answers;
const choices = watchedPrompt().details.choices;

describe("in the list of watch", () => {
  const [first, second] = [watchedPrompt(), watchedPrompt({ promptId: "p2", shortId: "m3" })];

  it("the highlight moves over questions and sessions, stops at the ends, and Enter opens", () => {
    expect(watch([first, second]).here).toMatch(/^k7/);
    expect(watch([first, second], "up").here).toMatch(/^k7/);
    expect(watch([first, second], "down").here).toMatch(/^m3/);
    expect(watch([first, second], "down", "down", "down").here).toMatch(/^s1 {2}claude \(api\)/);
    expect(watch([first, second], "down", "enter").text()).toMatch(/\nm3 .*\nRun it\?\nnpm test\n/);
    expect(watch([first, second], "end", "enter").text()).toContain("its last message is not known");
  });

  it("the highlight stays on its question when others come and go, and on the one whose page was left", () => {
    const watched = watch([first, second], "down", "enter", "escape");
    watched.view.refreshed(hubWith([watchedPrompt({ promptId: "p0", shortId: "a2" }), second]));
    expect(watched.here).toMatch(/^m3/);
    watched.view.refreshed(hubWith([]));
    expect(watched.here).toMatch(/^s1/);
  });

  it("a question that comes is highlighted before any session, until the person has gone somewhere", () => {
    const idle = watch([]);
    expect(idle.here).toMatch(/^s1/);
    idle.view.refreshed(hubWith([first]));
    expect(idle.here).toMatch(/^k7/);
  });

  it("q, Esc and Ctrl-C leave, from a page only Ctrl-C", () => {
    for (const key of ["q", "escape", "ctrl+c", "ctrl+d"])
      expect(watch([first], key).actions).toEqual(["quit"]);
    expect(onPage(first, "q").actions).toEqual([]);
    expect(onPage(first, "q").text()).toContain("Questions");
    expect(onPage(first, "ctrl+c").actions).toEqual(["quit"]);
  });
});

describe("on the page of a prompt", () => {
  it("an Enter that was pressed for something else answers nothing: a choice is made first", () => {
    expect(given(watchedPrompt(), "enter", "enter", "space", "tab")).toEqual([]);
    expect(given(watchedPrompt(), "down", "enter")).toEqual([{ value: "1" }]);
    expect(given(watchedPrompt(), "3", "enter")).toEqual([{ value: "3" }]);
  });

  it("its last row answers all prompts that are the same request, until their list changes", () => {
    const alike = { value: "1", shortIds: ["k7", "m3"] };
    const down = ["down", "down", "down", "down"];
    expect(given(watchedPrompt({ alike }), ...down, "enter")).toEqual([{ value: "1", alike: ["k7", "m3"] }]);
    expect(given(watchedPrompt({ alike }), "4", "enter")).toEqual([]);
    const chosen = onPage(watchedPrompt({ alike }), ...down);
    const more = watchedPrompt({ alike: { value: "1", shortIds: ["k7", "m3", "p4"] } });
    chosen.view.refreshed(hubWith([more]));
    expect(chosen.press("enter").answers).toEqual([]);
  });

  it("an answer that approves what is hidden waits for y, one that rejects does not", () => {
    const content = { text: "x", cut: null, hidden: { characters: 37, kinds: ["token"] } };
    const prompt = watchedPrompt({ content });
    const asked = onPage(prompt, "1", "enter");
    expect(asked.answers).toEqual([]);
    expect(asked.text()).toContain("37 characters hidden (looks like a token). Press y");
    expect(given(prompt, "1", "enter", "y")).toEqual([{ value: "1", acceptHidden: true }]);
    expect(given(prompt, "1", "enter", "enter")).toEqual([]);
    expect(given(prompt, "3", "enter")).toEqual([{ value: "3" }]);
  });

  it("a number only goes to its row, and one that no row has goes nowhere", () => {
    expect(given(watchedPrompt(), "3")).toEqual([]);
    expect(given(watchedPrompt(), "2", "9", "enter")).toEqual([{ value: "2" }]);
  });

  it("yes and no are said as such, and Enter and Esc of an unread one by name", () => {
    expect(given(watchedPrompt({ type: "yes_no" }), "2", "enter")).toEqual([{ value: "n" }]);
    const unknown = watchedPrompt({ type: "unknown", details: { constraints: {}, choices: [] } });
    expect(given(unknown, "2", "enter")).toEqual([{ value: "esc" }]);
  });

  it("a digit on an unread screen is the key of that name, and no number of a row", () => {
    const keys = [{ key: "down" }, { key: "2" }, { key: "enter", does: "accept" }];
    const unread = watchedPrompt({ type: "unknown", details: { constraints: { keys }, choices: [] } });
    expect(given(unread, "2", "enter")).toEqual([{ value: "2" }]);
    expect(given(unread, "down", "down", "down", "enter")).toEqual([{ value: "down" }]);
    expect(given(unread, "1", "enter")).toEqual([]);
  });

  it("of a check list what is ticked is sent, and nothing of it as nothing", () => {
    const list = watchedPrompt({ details: { constraints: { multi: true, declinable: true }, choices } });
    expect(given(list, "3", "space", "1", "enter", "4", "enter")).toEqual([{ value: "1,3" }]);
    expect(given(list, "1", "space", "space", "4", "enter")).toEqual([{ value: "" }]);
    expect(given(list, "5", "enter")).toEqual([{ value: "decline" }]);
  });

  it("a question that can be denied and stopped has a row for that, after its choices", () => {
    const question = watchedPrompt({ details: { constraints: { stoppable: true }, choices } });
    expect(given(question, "4", "enter")).toEqual([{ value: "stop" }]);
    expect(given(watchedPrompt(), "4", "enter")).toEqual([]);
  });

  it("a secret is neither shown a row nor asked for", () => {
    const secret = watchedPrompt({ type: "secret", details: { constraints: {}, choices: [] } });
    const watched = onPage(secret, "down", "1", "tab", "enter");
    expect(watched.answers).toEqual([]);
    expect(watched.here).toBeNull();
    expect(watched.text()).toContain("Secrets are typed only at the tool's own terminal.");
  });

  it("one that is being answered takes no second answer", () => {
    const watched = onPage(watchedPrompt({ state: "answering" }), "1", "enter");
    expect(watched.answers).toEqual([]);
    expect(watched.text()).toContain("It is already being answered.");
  });

  it("is left for the list when the prompt is settled, and its result stays visible", () => {
    const prompt = watchedPrompt();
    const watched = onPage(prompt, "2");
    watched.view.refreshed(hubWith([]));
    watched.view.settled(prompt, { text: "answered at the terminal", again: false });
    expect(watched.text()).toMatch(
      /Questions[^]*Recent\n {2}k7 answered at the terminal[^]*\nk7: answered at the terminal\n↑↓/,
    );
    expect(watched.press("down").text()).not.toContain("k7: answered");
  });

  it("scrolls its content, never beyond its end", () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    const prompt = watchedPrompt({ content: { text, cut: null, hidden: null } });
    const topAfter = (...keys: string[]) =>
      onPage(prompt, ...keys)
        .text()
        .split("\n")[2];
    expect(topAfter("pageDown", "pageDown")).toBe("line 31");
    expect(topAfter("end", "pageDown")).toBe(topAfter("end"));
    expect(topAfter("pageDown", "pageUp", "pageUp")).toBe("Run it?");
  });
});

describe("a prompt that ended without proof", () => {
  const prompt = watchedPrompt();
  const settled = (again: boolean) => {
    const watched = watch([]);
    watched.view.settled(prompt, { text: "no proof", again });
    return watched;
  };

  it("is asked again by Enter on its line, below the sessions", () => {
    expect(settled(true).press("enter").actions).toEqual([]);
    const watched = settled(true).press("end");
    expect(watched.here).toBe("🔁 k7 no proof");
    expect(watched.text()).toContain("Enter ask again");
    expect(watched.press("enter").actions).toEqual(["again p1"]);
    expect(watched.text()).toContain("k7: checking the screen …");
  });

  it("has one line that says what is known now, and is offered no more once it was looked for", () => {
    const watched = settled(true).press("end");
    watched.view.settled(prompt, { text: "no proof · the prompt is gone", again: false });
    expect(watched.text().match(/^..k7 no proof/gm)).toHaveLength(1);
    expect(watched.press("end", "enter").actions).toEqual([]);
  });
});

describe("a text typed in watch", () => {
  const free = watchedPrompt({ type: "free_text", details: { constraints: {}, choices: [] } });

  it("goes with the choice that takes one, and with no other", () => {
    expect(given(watchedPrompt(), "3", "tab", "use tabs", "enter")).toEqual([
      { value: "3", text: "use tabs" },
    ]);
    expect(onPage(watchedPrompt(), "1", "tab").text()).not.toContain("Enter send");
  });

  it("is the answer of a question in words, as it stands, also pasted in several lines", () => {
    expect(given(free, "enter", "2", "enter")).toEqual([{ value: "2" }]);
    expect(given(free, "enter", "\u001b[200~one\r\ntwo\u001b[201~", "enter")).toEqual([
      { value: "one\ntwo" },
    ]);
    expect(given(free, "enter", "enter")).toEqual([]);
    expect(onPage(free, "enter", "x", "escape").text()).toContain("❯   Type an answer");
  });

  it("does not carry over to the next question", () => {
    const watched = onPage(free, "enter", "half a word");
    watched.view.refreshed(hubWith([{ ...free, promptId: "p2", shortId: "m3" }]));
    expect(watched.press("home", "enter", "enter", "2", "enter").answers).toEqual([{ value: "2" }]);
  });

  const nameOrNothing = watchedPrompt({
    type: "free_text",
    details: { constraints: { allowEmpty: true }, choices: [] },
  });

  it.each([
    ["v0.2 alpha", "v0.2 alpha"],
    ["2", "2"],
    ["2.0 beta", "2.0 beta"],
    ["quick jump", "quick jump"],
    ["\u001b[200~1.0\u001b[201~", "1.0"],
  ])("%j is the answer to a question in words from its first character on", (typed, value) => {
    const keys = typed.startsWith("\u001b") ? [typed] : [...typed];
    expect(given(nameOrNothing, ...keys, "enter")).toEqual([{ value }]);
  });

  it("is empty only where the row for that was chosen", () => {
    expect(given(nameOrNothing, "down", "down", "enter")).toEqual([{ value: "" }]);
    const unchosen = onPage(nameOrNothing, "enter");
    expect(unchosen.answers).toEqual([]);
    expect(unchosen.text()).toContain("Choose with ↑ ↓ or type an answer first.");
    expect(unchosen.text()).toContain("a–z type an answer");
  });

  it("goes into the text row of a menu, whose numbers still choose the other rows", () => {
    const other = { label: "Type something", intent: "other" as const, takesText: "required" as const };
    const menu = watchedPrompt({
      safetyClass: "question",
      details: { constraints: {}, choices: [choices[0]!, choices[1]!, other] },
    });
    expect(given(menu, ..."v0.2 alpha", "enter")).toEqual([{ value: "3", text: "v0.2 alpha" }]);
    expect(given(menu, ..."2 of them", "enter")).toEqual([{ value: "3", text: "2 of them" }]);
    expect(given(menu, "2", "enter")).toEqual([{ value: "2" }]);
    expect(given(menu, "2", "down", "down", "up", "enter")).toEqual([{ value: "2" }]);
    expect(given(menu, "x", "escape", "1", "enter")).toEqual([{ value: "1" }]);
  });

  describe("on a lettered menu", () => {
    const other = { label: "Type something", intent: "other" as const, takesText: "required" as const };
    const menu = watchedPrompt({
      safetyClass: "question",
      details: {
        constraints: { lettered: true },
        choices: [choices[0]!, choices[1]!, choices[2]!, other],
      },
    });

    it.each(["also", "ba d", "a1", "back up", "Add tests"])(
      "starts with a key that names no row, and keeps the letters before it: %s",
      (word) => {
        expect(given(menu, ...word, "enter")).toEqual([{ value: "4", text: word }]);
      },
    );

    it.each([
      ["ab", "B Yes, always", [{ value: "2" }]],
      ["aa", "A Yes (the tool's default)", [{ value: "1" }]],
      ["cab", "B Yes, always", [{ value: "2" }]],
      ["bad", "D Type something", []],
      ["BAD", "D Type something", []],
    ])("letters of rows only choose, and Enter sends what is highlighted: %s", (letters, row, sent) => {
      const watched = onPage(menu, ...letters);
      expect(watched.here).toBe(row);
      expect(watched.press("enter").answers).toEqual(sent);
    });

    it("moves and leaves after a letter as without one", () => {
      expect(given(menu, "a", "down", "up", "b", "enter")).toEqual([{ value: "2" }]);
      expect(given(menu, "a", "j", "enter")).toEqual([{ value: "2" }]);
      for (const key of ["q", "escape"]) expect(onPage(menu, "a", key).text()).toContain("Questions");
    });
  });

  it("does not contain the key that cancelled an approval", () => {
    const other = { label: "Type something", intent: "other" as const, takesText: "required" as const };
    const menu = watchedPrompt({
      details: { constraints: { lettered: true }, choices: [choices[0]!, choices[1]!, other] },
      content: { text: "x", cut: null, hidden: { characters: 37, kinds: ["token"] } },
    });
    expect(onPage(menu, "a", "enter", "n", "b").text()).not.toContain("Enter send");
  });

  it("opens no field where no row takes one, nor on a screen that no rule reads", () => {
    expect(onPage(watchedPrompt(), "x", "y").text()).not.toContain("Enter send");
    const unknown = watchedPrompt({ type: "unknown", details: { constraints: {}, choices: [] } });
    expect(onPage(unknown, "y").text()).not.toContain("Enter send");
    expect(onPage({ ...nameOrNothing, state: "answering" }, "y").text()).not.toContain("Enter send");
  });

  it("for an unread question is marked as one, so that it is never a key", () => {
    const unknown = watchedPrompt({ type: "unknown", details: { constraints: {}, choices: [] } });
    expect(given(unknown, "3", "enter", "enter it", "enter")).toEqual([{ value: "text:enter it" }]);
  });

  it("is asked for once for each question of a form, and sent as one line each", () => {
    const form = [
      { name: "a", question: "Colour?", options: [{ label: "Red" }] },
      { name: "b", question: "Why?", options: [] },
    ];
    const prompt = watchedPrompt({ type: "free_text", details: { constraints: { form }, choices: [] } });
    expect(given(prompt, "enter", "1", "enter")).toEqual([]);
    expect(given(prompt, "enter", "1", "enter", "because", "enter")).toEqual([{ value: "1\nbecause" }]);
  });
});

it("a session that ends closes its page", () => {
  const watched = watch([], "enter");
  expect(watched.text()).toContain("Esc back");
  watched.view.refreshed(hubWith([], { sessions: [watchedSession({ sessionId: "s2" })] }));
  expect(watched.text()).toContain("q quit");
});
