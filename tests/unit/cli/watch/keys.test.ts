/** The keys of `watch` move in the list, choose an answer on the page of a prompt, and send no answer by accident. */
import { describe, expect, it } from "vitest";
import { typeText, cancelEntry } from "../../../../src/cli/watch/keys.js";
import { getHighlighted, withHub, withOutcome } from "../../../../src/cli/watch/state.js";
import { hubWith, openPrompt, pressAll, stateWith, watchedPrompt, watchedSession } from "./scenes.js";

const given = (prompt = watchedPrompt(), ...keys: readonly string[]) => {
  const { action } = pressAll(openPrompt(prompt), ...keys);
  return action?.kind === "answer" ? action.given : action;
};

describe("in the list of watch", () => {
  const [first, second] = [watchedPrompt(), watchedPrompt({ promptId: "p2", shortId: "m3" })];

  it("the highlight moves over questions and sessions, stops at the ends, and Enter opens", () => {
    const state = stateWith(first, second);
    expect(getHighlighted(state)).toBe("p1");
    expect(getHighlighted(pressAll(state, "up").state)).toBe("p1");
    expect(pressAll(state, "down", "down", "down").state.selected).toBe("s1");
    expect(pressAll(state, "down", "enter").state.page).toMatchObject({ kind: "prompt", promptId: "p2" });
    expect(pressAll(state, "end", "enter").state.page).toMatchObject({ kind: "session", sessionId: "s1" });
    expect(pressAll(state, "end", "enter", "escape").state.page).toEqual({ kind: "list" });
  });

  it("the highlight stays on its question when others come and go", () => {
    const state = pressAll(stateWith(first, second), "down").state;
    const more = withHub(state, hubWith([watchedPrompt({ promptId: "p0" }), second]));
    expect(more.selected).toBe("p2");
    expect(getHighlighted(withHub(more, hubWith([])))).toBe("s1");
  });

  it("a question that comes is highlighted before any session, until the person has gone somewhere", () => {
    const idle = stateWith();
    expect(getHighlighted(idle)).toBe("s1");
    expect(getHighlighted(withHub(idle, hubWith([first])))).toBe("p1");
  });

  it("q, Esc and Ctrl-C leave, from a page only Ctrl-C", () => {
    for (const key of ["q", "escape", "ctrl+c", "ctrl+d"])
      expect(pressAll(stateWith(first), key).action).toEqual({ kind: "quit" });
    expect(pressAll(openPrompt(first), "q")).toMatchObject({
      action: null,
      state: { page: { kind: "list" } },
    });
    expect(pressAll(openPrompt(first), "ctrl+c").action).toEqual({ kind: "quit" });
  });
});

describe("on the page of a prompt", () => {
  it("an Enter that was pressed for something else answers nothing: a choice is made first", () => {
    expect(given(watchedPrompt(), "enter")).toBeNull();
    expect(given(watchedPrompt(), "enter", "enter", "space", "tab")).toBeNull();
    expect(given(watchedPrompt(), "down", "enter")).toEqual({ value: "1" });
    expect(given(watchedPrompt(), "3", "enter")).toEqual({ value: "3" });
  });

  it("its last row answers all prompts that are the same request, until their list changes", () => {
    const alike = { value: "1", shortIds: ["k7", "m3"] };
    const rows = watchedPrompt().details.choices.length;
    const down = Array.from({ length: rows + 1 }, () => "down");
    expect(given(watchedPrompt({ alike }), ...down, "enter")).toEqual({ value: "1", alike: ["k7", "m3"] });
    expect(given(watchedPrompt({ alike }), String(rows + 1), "enter")).toBeNull();
    const chosen = pressAll(openPrompt(watchedPrompt({ alike })), ...down).state;
    const more = watchedPrompt({ alike: { value: "1", shortIds: ["k7", "m3", "p4"] } });
    expect(pressAll(withHub(chosen, hubWith([more])), "enter").action).toBeNull();
  });

  it("an answer that approves what is hidden waits for y, one that rejects does not", () => {
    const content = { text: "x", cut: null, hidden: { characters: 37, kinds: ["token"] } };
    const prompt = watchedPrompt({ content });
    const asked = pressAll(openPrompt(prompt), "1", "enter");
    expect(asked.action).toBeNull();
    expect(asked.state.note).toContain("37 characters hidden (looks like a token)");
    expect(given(prompt, "1", "enter", "y")).toEqual({ value: "1", acceptHidden: true });
    expect(given(prompt, "1", "enter", "enter")).toBeNull();
    expect(given(prompt, "3", "enter")).toEqual({ value: "3" });
  });

  it("a number only goes to its row, and one that no row has goes nowhere", () => {
    expect(pressAll(openPrompt(watchedPrompt()), "3").action).toBeNull();
    expect(given(watchedPrompt(), "2", "9", "enter")).toEqual({ value: "2" });
  });

  it("yes and no are said as such, and Enter and Esc of an unread one by name", () => {
    expect(given(watchedPrompt({ type: "yes_no" }), "2", "enter")).toEqual({ value: "n" });
    const unknown = watchedPrompt({ type: "unknown", details: { constraints: {}, choices: [] } });
    expect(given(unknown, "2", "enter")).toEqual({ value: "esc" });
  });

  it("a digit on an unread screen is the key of that name, and no number of a row", () => {
    const keys = [{ key: "down" }, { key: "2" }, { key: "enter", does: "accept" }];
    const unread = watchedPrompt({ type: "unknown", details: { constraints: { keys }, choices: [] } });
    expect(given(unread, "2", "enter")).toEqual({ value: "2" });
    expect(given(unread, "down", "down", "down", "enter")).toEqual({ value: "down" });
    expect(pressAll(openPrompt(unread), "1").action).toBeNull();
  });

  it("of a check list what is ticked is sent, and nothing of it as nothing", () => {
    const { choices } = watchedPrompt().details;
    const list = watchedPrompt({ details: { constraints: { multi: true, declinable: true }, choices } });
    expect(given(list, "3", "space", "1", "enter", "4", "enter")).toEqual({ value: "1,3" });
    expect(given(list, "1", "space", "space", "4", "enter")).toEqual({ value: "" });
    expect(given(list, "5", "enter")).toEqual({ value: "decline" });
  });

  it("a question that can be denied and stopped has a row for that, after its choices", () => {
    const { choices } = watchedPrompt().details;
    const question = watchedPrompt({ details: { constraints: { stoppable: true }, choices } });
    expect(given(question, "4", "enter")).toEqual({ value: "stop" });
    expect(pressAll(openPrompt(watchedPrompt()), "4", "enter").action).toBeNull();
  });

  it("a secret is neither shown a row nor asked for", () => {
    const secret = watchedPrompt({ type: "secret", details: { constraints: {}, choices: [] } });
    const { state, action } = pressAll(openPrompt(secret), "down", "1", "tab", "enter");
    expect(action).toBeNull();
    expect(state).toMatchObject({
      note: "Secrets are typed only at the tool's own terminal.",
      page: { entry: null },
    });
  });

  it("one that is being answered takes no second answer", () => {
    const { state, action } = pressAll(openPrompt(watchedPrompt({ state: "answering" })), "1", "enter");
    expect([action, state.note]).toEqual([null, "It is already being answered."]);
  });

  it("is left for the list when the prompt is settled, and its result stays visible", () => {
    const prompt = watchedPrompt();
    const open = pressAll(openPrompt(prompt), "2").state;
    const gone = withOutcome(withHub(open, hubWith([])), prompt, {
      text: "answered at the terminal",
      again: false,
    });
    expect(gone).toMatchObject({
      page: { kind: "list" },
      note: "k7: answered at the terminal",
      outcomes: [{ shortId: "k7", text: "answered at the terminal" }],
    });
    expect(pressAll(gone, "down").state.note).toBeNull();
  });

  it("scrolls its content, never beyond its end", () => {
    const scrollAfter = (...keys: string[]) => pressAll(openPrompt(watchedPrompt()), ...keys).state.page;
    expect(scrollAfter("pageDown", "pageDown")).toMatchObject({ scroll: 20 });
    expect(scrollAfter("end", "pageDown")).toMatchObject({ scroll: 100 });
    expect(scrollAfter("pageDown", "pageUp", "pageUp")).toMatchObject({ scroll: 0 });
  });
});

describe("a prompt that ended without proof", () => {
  const prompt = watchedPrompt();
  const uncertain = withOutcome(stateWith(), prompt, { text: "no proof", again: true });

  it("is asked again by Enter on its line, below the sessions", () => {
    expect(pressAll(uncertain, "enter").action).toBeNull();
    const { state, action } = pressAll(uncertain, "end", "enter");
    expect(action).toMatchObject({ kind: "again", outcome: { promptId: "p1", shortId: "k7" } });
    expect(state).toMatchObject({ page: { kind: "list" }, note: "k7: checking the screen …" });
  });

  it("has one line that says what is known now, and is offered no more once it was looked for", () => {
    const chosen = pressAll(uncertain, "end").state;
    const looked = withOutcome(chosen, prompt, { text: "no proof · the prompt is gone", again: false });
    expect(looked.outcomes).toHaveLength(1);
    expect(looked.selected).toBeNull();
    expect(pressAll(looked, "end", "enter").action).toBeNull();
  });
});

describe("a text typed in watch", () => {
  it("goes with the choice that takes one, and with no other", () => {
    const { state } = pressAll(openPrompt(watchedPrompt()), "3", "tab");
    expect(typeText(state, "use tabs").action).toMatchObject({ given: { value: "3", text: "use tabs" } });
    expect(pressAll(openPrompt(watchedPrompt()), "1", "tab").state.page).toMatchObject({ entry: null });
  });

  it("is the answer of a question in words, as it stands", () => {
    const free = watchedPrompt({ type: "free_text", details: { constraints: {}, choices: [] } });
    const { state } = pressAll(openPrompt(free), "enter");
    expect(typeText(state, "2").action).toMatchObject({ given: { value: "2" } });
    expect(typeText(state, "").action).toBeNull();
    expect(cancelEntry(state).page).toMatchObject({ kind: "prompt", entry: null });
  });

  it("for an unread question is marked as one, so that it is never a key", () => {
    const unknown = watchedPrompt({ type: "unknown", details: { constraints: {}, choices: [] } });
    const { state } = pressAll(openPrompt(unknown), "3", "enter");
    expect(typeText(state, "enter").action).toMatchObject({ given: { value: "text:enter" } });
  });

  it("is asked for once for each question of a form, and sent as one line each", () => {
    const form = [
      { name: "a", question: "Colour?", options: [{ label: "Red" }] },
      { name: "b", question: "Why?", options: [] },
    ];
    const prompt = watchedPrompt({ type: "free_text", details: { constraints: { form }, choices: [] } });
    const first = typeText(pressAll(openPrompt(prompt), "enter").state, "1");
    expect(first.action).toBeNull();
    expect(typeText(first.state, "because").action).toMatchObject({ given: { value: "1\nbecause" } });
  });
});

it("a session that ends closes its page", () => {
  const state = pressAll(stateWith(), "enter").state;
  expect(state.page).toMatchObject({ kind: "session" });
  const other = hubWith([], { sessions: [watchedSession({ sessionId: "s2" })] });
  expect(withHub(state, other)).toMatchObject({ page: { kind: "list" } });
});
