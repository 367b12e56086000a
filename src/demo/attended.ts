/** The demo in a terminal: the agent runs here, and is answered here or from a second terminal. */
import { getCurrentFolder } from "../observe/current-folder.js";
import { runTool } from "../app/run/run-tool.js";
import { DEMO_ADAPTER, collectDemoResults, inDemoHome, type DemoResult } from "./demo.js";

/** `say` receives how to answer from elsewhere, before the agent takes over the terminal. */
export function runAttendedDemo(say: (home: string) => void): Promise<readonly DemoResult[]> {
  return inDemoHome(async (home) => {
    say(home.folder);
    await runTool({
      command: home.command,
      label: "demo",
      cwd: getCurrentFolder(),
      nameless: null,
      adapter: DEMO_ADAPTER,
      relay: true,
      relayRequired: false,
      ask: false,
      hooks: false,
      isolate: false,
      quiet: false,
    });
    return collectDemoResults(home);
  });
}
