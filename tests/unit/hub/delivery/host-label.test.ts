/** Messages name their machine while several are configured, and only then. */
import { describe, expect, it } from "vitest";
import { findHostLabel } from "../../../../src/config/host-label.js";
import { makeRig, SESSION, SETTINGS } from "../rig.js";
import { turns } from "../fake-channel.js";

const LAPTOP = { label: "laptop", hostname: "mbp-ara.local" };
const BOX = { label: "build box", hostname: "ip-10-0-0-7" };

describe("the machine that a message comes from", () => {
  it.each([
    ["by the label of the configuration", [LAPTOP, BOX], "MBP-ara.local", "laptop"],
    ["by its host name, where others are listed and it is not", [LAPTOP], "srv9.example.org", "srv9"],
    ["not at all, where no other one is known", [LAPTOP], "mbp-ara.local", null],
    ["not at all, without a list", [], "mbp-ara.local", null],
  ])("is named %s", (_, hosts, hostname, label) => {
    expect(findHostLabel(hosts, hostname)).toBe(label);
  });

  it("stands on every card and before every text", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, hosts: [LAPTOP, BOX] }, hostname: BOX.hostname });
    await rig.raise();
    expect(rig.chat.cards()[0]!.notice.session.host).toBe("build box");
    await rig.core.handlers["session.close"](
      { sessionId: SESSION, exitCode: 3, signal: null },
      { sessionId: SESSION },
    );
    rig.clock.advance(5_000);
    await turns();
    expect(rig.chat.texts()).toEqual(["build box · ⏹ claude ended with exit code 3."]);
  });

  it("does not stand on the cards of a single one", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, hosts: [LAPTOP] }, hostname: LAPTOP.hostname });
    await rig.raise();
    expect(rig.chat.cards()[0]!.notice.session).not.toHaveProperty("host");
  });
});
