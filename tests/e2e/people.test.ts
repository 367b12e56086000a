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

const TEAM = -1002;

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
      expect([removed.code, removed.stdout.split("\n").slice(0, 2)]).toEqual([
        0,
        [
          `Bo (telegram:${BO}) may not answer any more.`,
          `Nothing is sent to the private chat telegram:${BO} any more.`,
        ],
      ]);
      await eventually(() => his.buttons.length === 0 && his.text.includes("You may not answer any more"));
      expect(await his.pressOld(yes)).toBe("You may not answer this prompt.");
      expect((await rig.home.data<{ state: string }[]>("prompts", "--all"))[0]?.state).toBe("pending");
      expect(rig.record.join("\n")).toContain('"code":"not_allowed"');
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ Yes, by Ara/);
      await run.terminal.waitFor(/got y/);
      expect((await rig.home.run("people", "list")).stdout).toBe("Ara · approver · telegram:1001\n");
      expect(readFileSync(rig.home.paths.config, "utf8")).not.toContain(String(BO));
      await (await rig.run(ASKS, { label: "two" }).card()).press(1);
      expect(bo.cards.map(({ label }) => label)).toEqual(["one"]);
    }));

  it("who were removed disappear from the routes, where others are left, and a route of theirs alone is named", () =>
    withRig(async (rig) => {
      addBo(rig);
      const file = rig.home.paths.config;
      const route = (over: object): string => {
        const config = parseDocument(readFileSync(file, "utf8"));
        config.set("routes", [over]);
        writeFileSync(file, String(config), { mode: 0o600 });
        return readFileSync(file, "utf8");
      };
      const alone = route({ deliver_to: [`telegram:${BO}`], approvers: ["Bo"] });
      const refused = await rig.home.run("people", "remove", "Bo");
      expect(refused.stderr).toContain(`routes.0 still names telegram:${BO}, Bo`);
      expect(readFileSync(file, "utf8")).toBe(alone);
      route({ deliver_to: ["telegram:1001", `telegram:${BO}`], approvers: ["Ara", "Bo"] });
      expect((await rig.home.run("people", "remove", "Bo")).code).toBe(0);
      const left = parseDocument(readFileSync(file, "utf8")).toJSON() as { routes: unknown };
      expect(left.routes).toEqual([{ deliver_to: ["telegram:1001"], approvers: ["Ara"] }]);
      expect((await rig.home.run("hub", "start")).code).toBe(0);
    }));

  it("who are gone from the file by hand get nothing, and status and doctor name their chat", () =>
    withRig(async (rig) => {
      const bo = addBo(rig);
      await rig.home.run("hub", "start");
      const config = parseDocument(readFileSync(rig.home.paths.config, "utf8"));
      config.deleteIn(["people", 1]);
      writeFileSync(rig.home.paths.config, String(config), { mode: 0o600 });
      await rig.home.run("hub", "reload");
      await (await rig.run(ASKS, { label: "one" }).card()).press(1);
      expect([bo.cards, bo.notices]).toEqual([[], []]);
      const words = `chat ${BO}: it belongs to nobody in \`people\`, so it gets nothing`;
      for (const command of ["status", "doctor"])
        expect((await rig.home.run(command)).stdout).toContain(words);
    }));

  it("get another role, may be added by their account, and a new approver is told to the others", () =>
    withRig(async (rig) => {
      rig.telegram.group(TEAM, "Team");
      const bo = addBo(rig, "viewer");
      await rig.home.run("hub", "start");
      expect((await rig.home.run("people", "role", "Bo", "approver")).stdout).toBe(
        `Bo · approver · telegram:${BO}\n`,
      );
      await rig.phone.notice(/^👤 Prompts may now be answered by Bo \(telegram:1002\), too\.$/);
      expect(bo.notices).toEqual([]);
      const card = await rig.run(ASKS, { label: "one" }).card();
      await (await bo.card("one")).press(2);
      expect(await card.settled()).toMatch(/^✅ No, by Bo/);
      expect((await rig.home.run("people", "role", "Bo", "viewer")).code).toBe(0);
      expect((await rig.home.run("people", "role", "Ara", "viewer")).stderr).toContain(
        'without "Ara" nobody may answer',
      );

      const added = await rig.home.run("people", "add", "Cy", "telegram:1003", "--role", "viewer");
      expect(added.stdout).toBe("Cy · viewer · telegram:1003\n");
      const twice = await rig.home.run("people", "add", "Cy", "telegram:1003", "--role", "viewer");
      expect(twice.stderr).toContain("listed in " + rig.home.paths.config + ' already: "Cy"');
      const strange = await rig.home.run("people", "add", "Di", "1004", "--role", "viewer");
      expect(strange.stderr).toContain("Configured: telegram.");
      const before = readFileSync(rig.home.paths.config, "utf8");
      const unsaid = await rig.home.run("people", "add", "Di", "telegram:1004");
      expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringContaining("Add --role approver")]);
      expect(readFileSync(rig.home.paths.config, "utf8")).toBe(before);
      expect((await rig.home.run("people", "add", "Di")).stderr).toContain("an account is missing");
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
