import { expect, it } from "vitest";
import { chooseRoute } from "../../../src/worker/answer/route.js";

const ALL = ["keys", "hook", "protocol"] as const;

it("answers a pending request there and only there", () => {
  expect(chooseRoute({ routes: ALL, pending: "hook", drawn: true })).toBe("hook");
  expect(chooseRoute({ routes: ["keys"], pending: "hook", drawn: true })).toBeNull();
});

it("types only into a drawn dialog", () => {
  expect(chooseRoute({ routes: ALL, pending: null, drawn: true })).toBe("keys");
  expect(chooseRoute({ routes: ALL, pending: null, drawn: false })).toBeNull();
  expect(chooseRoute({ routes: ["protocol"], pending: null, drawn: true })).toBeNull();
});
