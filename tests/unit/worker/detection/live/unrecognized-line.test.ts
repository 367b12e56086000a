/** A line that no rule describes stays open while somebody types behind it, and is answered by Enter at the terminal. */
import { describe, expect, it } from "vitest";
import { Session } from "../session.js";

const QUESTION = "Give me the thing now";

async function asked(): Promise<Session> {
  const session = new Session("generic");
  session.signals = { canonical: true, echo: true, blockedOnRead: true, foreground: "sh" };
  (await session.draw(`Welcome.\r\n${QUESTION}`)).wait(3000);
  expect(session.prompts).toEqual(["raise unknown"]);
  return session;
}

/** A key, its echo, and time to think. */
async function slowly(session: Session, keys: string): Promise<void> {
  for (const key of keys) (await session.type(key).draw(key)).wait(5000);
}

describe("an unread line", () => {
  it("is answered at the terminal by its Enter, and stays asked while somebody types", async () => {
    const session = await asked();
    await slowly(session, "the red one");
    expect(session.prompts).toEqual(["raise unknown"]);
    (await session.type("\r").draw("\r\ngot it\r\n")).wait(3000);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally"]);
  });

  it("is answered when its answer and Enter are read at two times", async () => {
    const session = await asked();
    (await session.type("me").draw("me")).wait(200);
    (await session.type("\r").draw("\r\n")).wait(200);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally"]);
  });

  it("on which somebody began and typed no more stays asked", async () => {
    const session = await asked();
    await slowly(session, "th");
    session.wait(60_000);
    expect(session.prompts).toEqual(["raise unknown"]);
  });

  it("below an answered one is raised as soon as any other", async () => {
    const session = await asked();
    (await session.type("me\r").draw("me\r\n")).wait(200);
    (await session.draw("And now the other thing")).wait(2500);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally", "raise unknown"]);
  });
});
