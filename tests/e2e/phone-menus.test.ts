/**
 * A menu that no rule describes is sent to the phone as a prompt, as it stands on the screen, and only a key that its card names
 * answers it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withRig, type Rig } from "../support/rig/rig.js";

/** A menu that no rule reads, and the key that it got. */
function menuTool(rig: Rig, name: string, drawn: string): string[] {
  const file = join(rig.home.folder, `${name}.cjs`);
  const script = [
    "process.stdin.setRawMode(true);",
    `process.stdout.write(${JSON.stringify(drawn)});`,
    'process.stdin.on("data", (keys) => { process.stdout.write("\\x1b[?1049l\\x1b[?25h\\r\\ngot " + JSON.stringify(keys.toString()) + "\\r\\n"); process.exit(0); });',
  ];
  writeFileSync(file, script.join("\n"));
  return [process.execPath, file];
}

const POINTED = "\x1b[?25lPick a template\r\n\r\n    Library\r\n => Service\r\n    Site\r\n";
const REVERSED =
  "\x1b[?1049h\x1b[2J\x1b[H\x1b[3;5HDeployment targets\x1b[5;7HStaging\x1b[6;7H\x1b[7mProduction\x1b[0m\x1b[7;7HNone of them\x1b[?25l";

describe.concurrent("a menu that an unknown program draws", () => {
  it.each([
    ["pointed", POINTED, "Service"],
    ["reversed", REVERSED, "Production"],
  ])("becomes a prompt, is shown as drawn, and takes a named key: %s", (name, drawn, row) =>
    withRig(async (rig) => {
      const run = rig.run(menuTool(rig, name, drawn));
      const card = await run.card();
      expect(card.text).toContain("node may be waiting for you");
      expect(card.text).toContain(row);
      expect(card.text).toContain("This may not be a prompt");
      await card.press(1);
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/got "\\r"/);
    }),
  );
});
