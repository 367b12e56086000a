/** Somebody stands in: `delegate Cat 2h` lets Cat's answers count, cards and record say for whom, and `undelegate` ends it. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { readDatabase } from "../property/hub/read-database.js";
import { Phone } from "../support/rig/phone.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const CAT = 1003;
const DAN = 1004;
const ASKS = 'for n in 1 2 3; do printf "Continue $n? [y/N] "; read a; echo "got $n <$a>"; done; sleep 60';

/** A person who gets the cards and may not answer. */
function addViewer(rig: Rig, name: string, id: number): Phone {
  const file = rig.home.paths.config;
  const config = parseDocument(readFileSync(file, "utf8"));
  config.addIn(["people"], { name, identities: [`telegram:${id}`], role: "viewer" });
  config.addIn(["channels", "telegram", "deliver_to"], id);
  writeFileSync(file, String(config), { mode: 0o600 });
  return new Phone(rig.telegram, rig.telegram.user(id, name));
}

/** Steps on record, with who caused them. */
function listSteps(rig: Rig, ...steps: readonly string[]): string[] {
  const sql = "SELECT step, identity, details FROM audit ORDER BY position";
  return readDatabase<{ step: string; identity: string; details: string }>(rig.home.paths.database, sql)
    .filter(({ step }) => steps.includes(step))
    .map(({ step, identity, details }) => `${step} ${identity} ${details}`);
}

it("lets Cat answer for Ara for a time, and Dan never", () =>
  withRig(async (rig) => {
    const [cat, dan] = [addViewer(rig, "Cat", CAT), addViewer(rig, "Dan", DAN)];
    const run = rig.run(["sh", "-c", ASKS], { label: "api" });
    const [first, dans] = [await cat.card("api"), await dan.card("api")];
    expect([first.buttons, dans.buttons]).toEqual([[], []]);
    first.reply("yes");
    await cat.notice(/^You may not answer this prompt/);
    cat.user.send("delegate Dan 2h");
    await cat.notice(/^You may not do that/);

    rig.phone.user.send("delegate Cat 2h");
    await rig.phone.notice(
      /^Cat may answer what you may, except where a rule asks for two people, for 2 h\. To end it, write: undelegate$/,
    );
    // Her card was there before.
    await first.shows(/^⏫ You may answer now, too/);
    expect(first.text).not.toContain("only Ara");
    dans.reply("yes");
    await dan.notice(/^You may not answer this prompt/);
    expect(dans.buttons).toEqual([]);
    await first.pressAnswer("Yes");
    expect(await first.settled()).toBe("✅ Yes, by Cat (for Ara), confirmed");
    expect(await (await run.card()).settled()).toBe("✅ Yes, by Cat (for Ara), confirmed");
    await run.terminal.waitFor(/got 1 <y>/);

    const second = await cat.card("api", 2);
    expect(second.text).not.toContain("only Ara");
    await second.pressAnswer("No");
    expect(await second.settled()).toBe("✅ No, by Cat (for Ara), confirmed");
    rig.phone.user.send("delegations");
    await rig.phone.notice(/^Cat answers for Ara: (?:2 h|119 min) left$/);

    const third = await cat.card("api", 3);
    const [tokenOfYes = ""] = third.tokens;
    rig.phone.user.send("undelegate");
    await rig.phone.notice(/^Ended: nobody answers in your place any more\.$/);
    // A tap that is too late is refused; the card says so, and has no buttons any more.
    await third.shows(/^⏬ You may not answer any more/);
    expect(third.text).toContain("only Ara, the local user may answer");
    expect(third.buttons).toEqual([]);
    expect(await third.pressOld(tokenOfYes)).toBe("You may not answer this prompt.");
    const again = await rig.home.run("delegate", "to", "cat", "--for", "1h");
    expect(again).toMatchObject({
      code: 0,
      stdout: "Cat may answer what Ara may, for 1 h. `delegate end` ends it.\n",
    });
    await third.shows(/^⏫ You may answer now, too/);
    expect(third.buttons.length).toBeGreaterThan(0);
    expect((await rig.home.run("delegate")).stdout).toMatch(/^Cat answers for Ara: (?:1 h|59 min) left$/m);
    expect((await rig.home.run("delegate", "end")).stdout).toBe(
      "Ended: nobody answers in Ara's place any more.\n",
    );
    await third.shows(/^⏬ You may not answer any more/);
    await (await run.card(3)).pressAnswer("No");
    await third.shows(/^✅ No, by Ara, confirmed/);
    await run.terminal.waitFor(/got 3 <n>/);

    const by = (who: string, name: string): unknown =>
      expect.stringMatching(`^prompt_claimed telegram:${who} .*"by":"${name}"`);
    expect(listSteps(rig, "prompt_claimed", "delegation_made", "delegation_ended")).toEqual([
      expect.stringMatching(/^delegation_made telegram:1001 .*"from":"Ara".*"to":"Cat"/),
      by("1003", "Cat \\(for Ara\\)"),
      by("1003", "Cat \\(for Ara\\)"),
      expect.stringMatching(/^delegation_ended telegram:1001 /),
      expect.stringMatching(/^delegation_made cli:local .*"from":"Ara".*"to":"Cat"/),
      expect.stringMatching(/^delegation_ended cli:local /),
      by("1001", "Ara"),
    ]);
    expect((await rig.home.run("audit", "verify")).code).toBe(0);
  }));
