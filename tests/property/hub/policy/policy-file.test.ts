/** Ten thousand broken policy files give a clear error each, or are valid: no crash, no hang. */
import { expect, it } from "vitest";
import { parsePolicy } from "../../../../src/hub/policy/load-policy.js";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { seeded } from "../../../support/seeded.js";

const BASE = `version: 1
mode: full
rules:
  - id: r
    match: { class: [permission], command: [git status, { exactly: ls }], path: ~/x, pattern: 'a+b' }
    answer: allow_once
    max: 3
`;

function isRefused(text: string): boolean {
  try {
    parsePolicy(text, "policy.yaml", null);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(AtlasBridgeError);
    return true;
  }
}

it("ten thousand broken files give a clear error each, or are valid", () => {
  const random = seeded(20);
  const signs = [
    "{",
    "}",
    "[",
    "]",
    ":",
    "-",
    "'",
    '"',
    "\n",
    " ",
    "&a",
    "*a",
    "!",
    "%",
    "|",
    ">",
    "\t",
    "0",
    "é",
    "\u0000",
    "~",
    "?",
    "#",
  ];
  let refused = 0;
  for (let round = 0; round < 10_000; round += 1) {
    let text = BASE;
    for (let change = 0; change < 1 + random() * 3; change += 1) {
      const at = Math.floor(random() * text.length);
      text =
        text.slice(0, at) +
        (signs[Math.floor(random() * signs.length)] ?? "") +
        text.slice(at + Math.floor(random() * 3));
    }
    if (isRefused(text)) refused += 1;
  }
  expect(refused).toBeGreaterThan(5_000);
});
