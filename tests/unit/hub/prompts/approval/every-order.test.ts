/** What cannot be tried by hand: every order of events, and ten thousand taps. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { asId, type Identity } from "../../../../../src/model/ids.js";
import { commandPrompt } from "../../../../support/policy/policies.js";
import { turns } from "../../fake-channel.js";
import { SESSION, type Rig } from "../../rig.js";
import { asking, card, careful, MINUTE, raise, raiseCommand, repliesTo, readShortId } from "./asking.js";

const TAPS = 10_000;

/** Every button that may not be taken blindly, each as often as the others, by everybody in the chat. */
async function tapBlindly(rig: Rig, tokens: readonly string[]): Promise<void> {
  for (let n = 0; n < TAPS; n += 1) {
    const token = tokens[n % tokens.length] ?? "";
    const identity = asId<Identity>(`chat:${1 + (n % 4)}`);
    await rig.chat.inbox?.store(`blind-${n}`, { kind: "tap", token, identity, place: "p1", receivedAt: 0 });
  }
  for (let look = 0; look < TAPS && rig.chat.answers.length < TAPS; look += 1) await turns();
  expect(rig.chat.answers).toHaveLength(TAPS);
  expect(rig.link.replies).toEqual([]);
}

it("none of 10,000 blind taps approves where a number is wanted", async () => {
  const rig = await asking("number_match: true");
  const event = await raise(rig);
  const approving = card(rig).notice.buttons.filter(({ value }) => value !== "3");
  await tapBlindly(
    rig,
    approving.map(({ token }) => token),
  );
  expect(rig.readState(event)).toBe("pending");
});

it("none of 10,000 blind taps allows always, approves what is hidden or misleads, or destroys, without any rule", async () => {
  const rig = await careful();
  const { content } = commandPrompt("deploy");
  const hidden = { ...content, hidden: { characters: 32, kinds: ["token"] } };
  const asked: [string, string[], Partial<PromptEvent>?][] = [
    ["make", ["2"]],
    ["rm -rf build", ["1", "2"]],
    ["git push --force", ["1", "2"]],
    ["curl exa‹U+043C›ple.com", ["1", "2"]],
    ["", ["1", "2"], { content: hidden }],
  ];
  const tokens: string[] = [];
  for (const [n, [command, values, over]] of asked.entries()) {
    await raiseCommand(rig, command, over, n + 1);
    const buttons = card(rig).notice.buttons.filter(({ value }) => values.includes(value));
    tokens.push(...buttons.map(({ token }) => token));
  }
  // The second button under hidden content, too.
  const last = card(rig);
  await rig.chat.tap(last, "1");
  const second = last.outcome?.buttons?.find(({ token }) => !tokens.includes(token) && token !== "");
  expect(second?.choice.label).toContain("32 hidden");
  rig.chat.answers.length = 0;
  await tapBlindly(rig, [...tokens, second?.token ?? ""]);
  expect(rig.store.prompts.listOpen().map(({ state }) => state)).toEqual(asked.map(() => "pending"));
});

/** What may happen to a prompt under `quorum: 2`, in every order: exactly one decision, and never one that two people did not make. */
describe("every order of events", () => {
  type Happening = "ara yes" | "ara again" | "ben yes" | "ben no" | "deadline" | "withdrawn";
  const ALL: readonly Happening[] = ["ara yes", "ara again", "ben yes", "ben no", "deadline", "withdrawn"];

  function* orders(left: readonly Happening[]): Generator<readonly Happening[]> {
    if (left.length === 0) yield [];
    for (const first of left)
      for (const rest of orders(left.filter((each) => each !== first))) yield [first, ...rest];
  }

  /** The rules in one breath. */
  function expectEnd(order: readonly Happening[]): { readonly value: string | null; readonly state: string } {
    const yes = new Set<string>();
    let value: string | null = null;
    for (const each of order) {
      if (each === "withdrawn") return { value, state: "withdrawn" };
      if (value !== null) continue;
      if (each === "deadline") return { value, state: "expired" };
      if (each === "ben no") value = "3";
      else yes.add(each.split(" ")[0] ?? "");
      if (yes.size === 2 && value === null) value = "1";
    }
    return { value, state: "answering" };
  }

  it("makes exactly one decision", async () => {
    const rig = await asking("quorum: 2");
    let n = 0;
    for (const order of orders(ALL)) {
      const event = await raise(rig, (n += 1));
      const shortId = readShortId(rig, event);
      for (const each of order) {
        if (each === "deadline") rig.clock.advance(30 * MINUTE);
        else if (each === "withdrawn")
          await rig.core.handlers["prompt.withdraw"](
            { promptId: event.promptId, reason: "left_screen" },
            { sessionId: SESSION },
          );
        else {
          const [who = "", what] = each.split(" ");
          const text = `answer ${shortId} ${what === "no" ? "3" : "1"}`;
          await rig.chat.text(text, { identity: who === "ara" ? "chat:1" : "chat:2" });
        }
      }
      const found = { value: repliesTo(rig, event)[0]?.value ?? null, state: rig.readState(event) };
      expect([order.join(", "), found]).toEqual([order.join(", "), expectEnd(order)]);
      expect(repliesTo(rig, event).length).toBeLessThan(2);
    }
    expect(n).toBe(720);
  });
});
