/** Recorded exchanges with the real opencode beside its terminal are read and answered by the code that does so live. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { joinSession, type JoinedExchange } from "../../../../support/exchanges/joined-session.js";
import { playSession } from "../../../../support/exchanges/play-session.js";
import { notLinux, skipped } from "../../../../support/skipped.js";
import { waitFor } from "../../../../support/wait-for.js";

const FOLDER = "tests/fixtures/exchanges/opencode-coattach";
const exchanges = readdirSync(FOLDER).map(
  (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as JoinedExchange,
);
const LOGIN = { user: "u", password: "hidden-from-all" };
describe.skipIf(skipped(notLinux))("an exchange with the real opencode, beside its terminal", () => {
  it("is kept for every way to answer", () => {
    expect(exchanges.length).toBeGreaterThanOrEqual(8);
    expect(new Set(exchanges.flatMap(({ ends }) => ends))).toEqual(new Set(["delivered"]));
  });

  it.each(exchanges)("is read and answered as in the recording: $about", async (exchange) => {
    const { answers, asked, ends } = exchange;
    const server = await playSession(exchange);
    const joined = joinSession({ answers, leader: process.pid, cwd: "/srv/proj", login: LOGIN });
    try {
      await waitFor(() => expect(joined.ends).toEqual(ends));
      expect(joined.asked).toEqual(asked);
      expect(server.problems).toEqual([]);
    } finally {
      joined.close();
      await server.close();
    }
  });
});
