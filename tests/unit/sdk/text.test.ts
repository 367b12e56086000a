/** A service's text is printed in one line in which no secret stands, also where the text is cut inside of one. */
import { expect, it } from "vitest";
import { makePrintable } from "../../../src/sdk/text.js";

/** What stands before the secret part may be known: the kind, and a bot's number. */
const TOKENS = [
  ["xoxb-", "123456789012-abcdefABCDEF123456"],
  ["110201543:", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"],
] as const;

it.each(TOKENS)("hides %s… in a service's words", (kind, secret) => {
  const shown = makePrintable(`refused for ${kind}${secret}\n`, 200);
  expect(shown).toBe(`refused for ${kind}[${secret.length} hidden]\ufffd`);
});

it.each(TOKENS)("shows no part of %s… where it is cut", (kind, secret) => {
  for (let length = 150; length < 200; length++)
    expect(makePrintable(`${"x".repeat(length)} ${kind}${secret}`, 200)).not.toContain(secret.slice(0, 2));
});
