/** The table of newline policies of the adapter spec gives exactly these bytes, `replace` among them. */
import { describe, expect, it } from "vitest";
import { chooseNewlinePolicy } from "../../../../src/model/answer/newline.js";

describe("newline policy (adapter spec §4)", () => {
  it.each([
    ["yes_no", "y", "append"],
    ["yes_no", "n", "append"],
    ["confirm_enter", "enter", "none"],
    ["multiple_choice", "1", "append"],
    ["multiple_choice", "1,3", "append"],
    ["free_text", "my text", "append"],
    ["free_text", "", "none"],
    ["unknown", "enter", "none"],
    ["unknown", "esc", "replace"],
    ["unknown", "ctrl-c", "replace"],
    ["unknown", "ctrl-d", "replace"],
    ["unknown", "text:hello", "append"],
    ["secret", "", "none"],
  ] as const)("of %s with %j is %s", (promptType, value, policy) => {
    expect(chooseNewlinePolicy(promptType, value)).toBe(policy);
  });
});
