/** A codex approval shows all that is said of a change of files. Its questions are raised whole, by ids of their own, or not at all. */
import { describe, expect, it } from "vitest";
import {
  createCodexRequest,
  FILE_APPROVAL,
  USER_INPUT,
} from "../../../../../src/worker/integrations/codex/questions.js";

function readContent(...changes: readonly unknown[]) {
  const item = { type: "fileChange", id: "i", changes };
  return createCodexRequest(FILE_APPROVAL, { itemId: "i", threadId: "t" }, item, "/w")?.prompt.content;
}

describe("the files that a server of threads wants to change", () => {
  const diff = "@@\n-a\n+b";

  it("are shown with where they are moved to, and all else that is said of the change", () => {
    const move = { path: "/w/a", kind: { type: "update", move_path: "/home/me/.bashrc" }, diff };
    expect(readContent(move)?.text).toBe(`/w/a (update)\nmove_path: /home/me/.bashrc\n${diff}`);
    const odd = { path: "/w/a", kind: { type: { x: 1 }, mode: 511 }, diff, link: "/etc" };
    for (const part of ['"x": 1', "mode: 511", "link: /etc", diff])
      expect(readContent(odd)?.text).toContain(part);
  });

  it("are shown without what is not said", () => {
    const plain = { path: "/w/a", kind: { type: "update", move_path: null }, diff };
    expect(readContent(plain)).toMatchObject({ text: `/w/a (update)\n${diff}`, cut: null });
    expect(readContent({ path: "/w/a", kind: "add", diff })?.text).toBe(`/w/a (add)\n${diff}`);
  });

  it("are marked as not whole where one of them cannot be read", () => {
    const plain = { path: "/w/a", kind: { type: "update" }, diff };
    expect(readContent(plain, "rm")?.cut).toEqual({ missing: "the changes" });
    expect(readContent()?.cut).toEqual({ missing: "the changes" });
  });
});

describe("the questions of a server of threads", () => {
  const asking = (...questions: readonly unknown[]) =>
    createCodexRequest(USER_INPUT, { questions }, null, "/w");

  it("are raised only where each has an id of its own", () => {
    const name = { id: "a", question: "Name?" };
    expect(asking(name, { id: "b", question: "Place?" })).not.toBeNull();
    for (const other of [{ id: "a", question: "Password of prod?" }, { question: "Place?" }, { id: "" }, "x"])
      expect(asking(name, other), JSON.stringify(other)).toBeNull();
    const options = [{ label: "Yes" }, { label: "No" }];
    expect(asking({ ...name, options }, { id: "a", question: "Sure?", options })).toBeNull();
  });

  it("keep what is said of their options, and drop none", () => {
    const options = [{ label: "x", description: "destroys all" }, { label: "y" }];
    const words = { id: "b", question: "Why?" };
    const made = asking({ id: "a", question: "Which?", options }, words);
    expect(made?.prompt.content.text).toContain("1. x – destroys all\n   2. y");
    expect(made?.answer({ value: "2\nfun" })).toEqual({
      result: { answers: { a: { answers: ["y"] }, b: { answers: ["fun"] } } },
    });
    expect(asking({ id: "a", question: "Which?", options: [...options, { label: 5 }] }, words)).toBeNull();
  });
});
