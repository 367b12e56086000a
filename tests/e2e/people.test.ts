/**
 * `people remove` and `merge` act on the hub that runs: whoever was taken out is refused and told so, whoever was merged answers under the
 * name that stays, and what was on record stays there. The last person who may answer is not taken out.
 */
import { eventually } from "../support/hub-home.js";
import { readFileSync, writeFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { describe, expect, it } from "vitest";
import { Phone } from "../support/rig/phone.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const BO = 1002;

/** Bo may answer, too, and gets the same cards. */
function addBo(rig: Rig, role = "approver"): Phone {
  const file = rig.home.paths.config;
  const config = parseDocument(readFileSync(file, "utf8"));
  config.addIn(["people"], { name: "Bo", identities: [`telegram:${BO}`], role });
  config.addIn(["channels", "telegram", "deliver_to"], BO);
  writeFileSync(file, String(config), { mode: 0o600 });
  return new Phone(rig.telegram, rig.telegram.user(BO, "Bo"));
}

const ASKS = ["sh", "-c", 'printf "Continue? [y/N] "; read answer; echo "got $answer"; sleep 0.2'];

describe.concurrent("the people of a hub that runs", () => {
  it("who were removed are refused, and told so; the others go on", () =>
    withRig(async (rig) => {
      const bo = addBo(rig);
      const run = rig.run(ASKS, { label: "one" });
      const card = await run.card();
      const his = await bo.card("one");
      const [yes = ""] = his.tokens;
      const removed = await rig.home.run("people", "remove", "Bo");
      expect([removed.code, removed.stdout.split("\n")[0]]).toEqual([
        0,
        `Bo (telegram:${BO}) may not answer any more.`,
      ]);
      await eventually(() => his.buttons.length === 0 && his.text.includes("You may not answer any more"));
      expect(await his.pressOld(yes)).toBe("You may not answer this prompt.");
      expect((await rig.home.data<{ state: string }[]>("prompts", "--all"))[0]?.state).toBe("pending");
      expect(rig.record.join("\n")).toContain('"code":"not_allowed"');
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ Yes, by Ara/);
      await run.terminal.waitFor(/got y/);
      expect((await rig.home.run("people", "list")).stdout).toBe("Ara · approver · telegram:1001\n");
    }));

  it("are listed with a warning while the hub still uses an earlier configuration", () =>
    withRig(async (rig) => {
      await rig.home.run("hub", "start");
      const warning = "the running hub still uses an earlier configuration or earlier rules";
      expect((await rig.home.run("people", "list")).stderr).toBe("");
      addBo(rig, "viewer");
      const listed = await rig.home.run("people", "list");
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("Bo · viewer")]);
      expect(listed.stderr).toContain(warning);
      expect((await rig.home.run("doctor")).stdout).toContain(warning);
      writeFileSync(rig.home.paths.policy, "version: 1\nrules: []\n");
      await rig.home.run("hub", "reload");
      expect((await rig.home.run("people", "list")).stderr).toBe("");
      writeFileSync(rig.home.paths.policy, "version: 1\nmode: full\nrules: []\n");
      expect((await rig.home.run("policy", "check")).stderr).toContain(warning);
    }));

  it("who were removed while the hub cannot reload may still answer, and the command says so", () =>
    withRig(async (rig) => {
      const bo = addBo(rig);
      const run = rig.run(ASKS, { label: "one" });
      const his = await bo.card("one");
      writeFileSync(rig.home.paths.policy, "version: 1\nrules: 5\n");
      const removed = await rig.home.run("people", "remove", "Bo");
      expect([removed.code, removed.stdout]).toEqual([2, ""]);
      expect(removed.stderr).toMatch(
        /config\.yaml is changed, but the running hub has not confirmed that it uses it: [^]*policy\.yaml:2:8[^]*hub reload/,
      );
      expect(removed.stderr).not.toContain("none of it was applied");
      expect(await his.press(1)).toContain("accepted");
      await run.terminal.waitFor(/got y/);
    }));

  it("who were merged answer under the name that stays, and what they answered before stays theirs on record", () =>
    withRig(async (rig) => {
      const bo = addBo(rig);
      const first = rig.run(ASKS, { label: "one" });
      const his = await bo.card("one");
      await his.press(1);
      expect(await his.settled()).toMatch(/^✅ Yes, by Bo/);
      await first.terminal.waitFor(/got y/);
      const merged = await rig.home.run("people", "merge", "Bo", "Ara");
      expect([merged.code, merged.stdout]).toEqual([0, `Ara · approver · telegram:1001, telegram:${BO}\n`]);
      const second = rig.run(ASKS, { label: "two" });
      const next = await bo.card("two");
      await next.press(2);
      expect(await next.settled()).toMatch(/^✅ No, by Ara/);
      await second.terminal.waitFor(/got n/);
      const claims = rig.record.filter((line) => line.includes(" prompt_claimed "));
      expect(claims.map((line) => /"by":"(\w+)"/.exec(line)?.[1])).toEqual(["Bo", "Ara"]);
      expect((await rig.home.run("audit", "verify")).code).toBe(0);
    }));

  it("are not left without anybody who may answer", () =>
    withRig(async (rig) => {
      const before = readFileSync(rig.home.paths.config, "utf8");
      const refused = await rig.home.run("people", "remove", "Ara");
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(
          /without "Ara" nobody may answer over telegram; nothing was changed[^]*atlasbridge setup telegram --pair[^]*atlasbridge channel remove telegram/,
        ),
      ]);
      expect(readFileSync(rig.home.paths.config, "utf8")).toBe(before);
      addBo(rig, "viewer");
      const withViewer = readFileSync(rig.home.paths.config, "utf8");
      expect((await rig.home.run("people", "merge", "Ara", "Bo")).stderr).toContain(
        'without "Ara" nobody may answer',
      );
      expect(readFileSync(rig.home.paths.config, "utf8")).toBe(withViewer);
      expect((await rig.home.run("people", "remove", "Aar")).stderr).toContain("Listed: Ara, Bo.");
      expect((await rig.home.run("people", "merge", "Ara", "Ara")).stderr).toContain(
        "cannot be merged with itself",
      );
    }));
});
