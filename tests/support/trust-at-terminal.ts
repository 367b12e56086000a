/** `channel trust telegram` at a real terminal, answered with one key. The way to confirm an address while a hub runs. */
import { MAIN, type HubHome } from "./hub-home.js";
import { RealTerminal } from "./real-cli/terminal.js";
import { cleanEnv } from "./real-cli/workspace.js";

export async function trustAtTerminal(home: HubHome, key: string): Promise<{ code: number; screen: string }> {
  const env = { ...cleanEnv(home.folder), ATLASBRIDGE_HOME: home.folder };
  const args = [MAIN, "channel", "trust", "telegram"];
  const terminal = new RealTerminal({ file: process.execPath, args, cwd: home.folder, env });
  try {
    await terminal.waitFor(/Is it your server\? \[y\/N\]/);
    terminal.press(`${key}\r`);
    return { code: await terminal.exited, screen: terminal.screen };
  } finally {
    await terminal.close();
  }
}
