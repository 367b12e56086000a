/**
 * A session is answered from Slack, and the first answer wins where two channels answer. `channel add slack` prints the manifest,
 * hides both tokens and pairs a person by a code.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HubHome, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";
import { Replay } from "../support/rig/replay.js";
import { withSlack } from "../support/rig/slack-desk.js";
import { startSlack } from "../support/slack/emulator.js";

describe.concurrent("a session answered from Slack", () => {
  it("types exactly the answer, and the cards of both channels show it", () =>
    withSlack(async (rig, desk) => {
      const replay = Replay.start(rig, ["bash"]);
      const [phone, card] = [await replay.run.card(), await desk.card("claude")];
      await desk.connected();
      expect(await desk.press(card, 3)).toBe("No: accepted for claude");
      expect(await desk.shows(card, /^✅/)).toBe("✅ No, by Ara, confirmed");
      expect(await phone.settled()).toBe("✅ No, by Ara, confirmed");
      expect(replay.typed).toEqual(["4"]);
    }));

  it("lets the first answer win when both channels answer, and tells the other by whom", () =>
    withSlack(async (rig, desk) => {
      const replay = Replay.start(rig, ["bash"]);
      const [phone, card] = [await replay.run.card(), await desk.card("claude")];
      await desk.connected();
      const told = await Promise.all([phone.press(1), desk.press(card, 3)]);
      expect(told.filter((text) => text.includes("accepted for"))).toHaveLength(1);
      expect(told.filter((text) => text.includes("Already answered by Ara"))).toHaveLength(1);
      const [first, second] = await Promise.all([phone.settled(), desk.shows(card, /^✅/)]);
      expect(second).toBe(first);
      expect(replay.typed).toHaveLength(1);
    }));

  it("takes a button from before the hub was killed", () =>
    withSlack(async (rig, desk) => {
      const replay = Replay.start(rig, ["bash"]);
      const card = await desk.card("claude");
      await desk.connected();
      const killed = await rig.killHub();
      expect(await rig.hubPid()).not.toBe(killed);
      await desk.connected();
      await desk.press(card, 3);
      expect(await desk.shows(card, /^✅/)).toBe("✅ No, by Ara, confirmed");
      expect(replay.typed).toEqual(["4"]);
      expect(desk.cards).toHaveLength(1);
    }));
});

describe("pairing Slack at the terminal", () => {
  it("prints the manifest, hides both tokens, takes the code by a command, and sends a greeting", async () => {
    const slack = await startSlack();
    const home = new HubHome();
    const ara = slack.user("U0ARA", "Ara");
    const place = slack.channel("C0WORK", [ara]);
    writeFileSync(
      join(home.folder, "config.yaml"),
      `# mine\nchannels:\n  slack:\n    api_url: ${slack.apiUrl}\n`,
    );
    const env = { ...cleanEnv(home.folder), ATLASBRIDGE_HOME: home.folder };
    const args = [MAIN, "channel", "add", "slack"];
    const size = { cols: 160, rows: 100 };
    const terminal = new RealTerminal({ file: process.execPath, args, cwd: home.folder, env }, size);
    try {
      await terminal.waitFor(/app-level token/);
      expect(terminal.screen).toContain('"socket_mode_enabled": true');
      terminal.press(`${slack.appToken}\r`);
      await terminal.waitFor(/bot token/);
      terminal.press(`${slack.botToken}\r`);
      await terminal.waitFor(/Is it your server\?/);
      terminal.press("y\r");
      await terminal.waitFor(/\/atlasbridge ([a-z2-9]{8})/);
      for (const token of [slack.appToken, slack.botToken]) expect(terminal.screen).not.toContain(token);
      const [, code = ""] = /\/atlasbridge ([a-z2-9]{8})/.exec(terminal.screen) ?? [];
      await slack.waitFor(() => slack.world.gateway.connections.length > 0, "the hub in Slack");
      expect(await ara.command(code, { channel: place }).told(20_000)).toContain("Code received");
      await terminal.waitFor(
        /ara \(slack:T0TEAM\/U0ARA\) has sent the code in the chat C0WORK\.\s+Let ara answer/,
      );
      terminal.press("y\r");
      expect(await terminal.exited).toBe(0);
      expect(slack.posts(place)).toHaveLength(1);
      const config = readFileSync(join(home.folder, "config.yaml"), "utf8");
      expect(config).toContain("# mine");
      expect(config).toMatch(/deliver_to:\s+- C0WORK/);
      expect(config).toMatch(/- slack:T0TEAM\/U0ARA/);
      expect(config).not.toContain(slack.botToken);
      for (const name of ["slack.app_token", "slack.bot_token"])
        expect(statSync(join(home.folder, name)).mode & 0o777).toBe(0o600);
    } finally {
      await terminal.close();
      await home.close();
      await slack.stop();
    }
  });
});
