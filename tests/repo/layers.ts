/** The house as data: which room may import which (docs/architecture.md#folders). Read by architecture.test.ts. */

/** Longest matching room wins. A room may always import itself. Relative imports only; npm packages are not in the table. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/model": [],
  "src/sdk": ["src/model"],
  "src/safety": ["src/model"],
  "src/observe": ["src/model"],
  "src/wire": ["src/model", "src/sdk"],
  "src/config": ["src/model", "src/sdk"],
  "src/ask": ["src/model", "src/sdk", "src/wire", "src/config", "src/observe"],
  "src/worker/screen": [],
  "src/worker/transport": ["src/worker/screen"],
  "src/worker/evidence": ["src/worker/screen", "src/worker/transport"],
  "src/worker/detect": ["src/worker/screen", "src/worker/evidence"],
  "src/worker/answer": [
    "src/worker/detect",
    "src/worker/evidence",
    "src/worker/screen",
    "src/worker/transport",
  ],
  "src/worker/runtime": [
    "src/worker/answer",
    "src/worker/detect",
    "src/worker/evidence",
    "src/worker/screen",
    "src/worker/transport",
  ],
  "src/worker/session": ["src/worker/runtime", "src/worker/transport"],
  "src/hub/sqlite": [],
  "src/hub/audit": [],
  "src/hub/policy": [],
  "src/hub/picture": [],
  "src/hub/store": ["src/hub/audit", "src/hub/sqlite"],
  "src/hub/delivery": ["src/hub/store", "src/hub/audit"],
  "src/hub/life": ["src/hub/delivery", "src/hub/picture", "src/hub/policy", "src/hub/store", "src/hub/audit"],
  "src/hub/serve": ["src/hub/sqlite"],
  "prompt-lab": [
    "src/model",
    "src/sdk",
    "src/safety",
    "src/observe",
    "src/worker/screen",
    "src/worker/detect",
    "src/worker/answer",
  ],
  adapters: ["src/sdk"],
  channels: ["src/sdk"],
  "src/app": ["src", "adapters", "channels", "prompt-lab"],
  "src/cli": ["src/app", "src/wire", "src/model", "src/config", "src/observe", "src/safety"],
  "src/main.ts": ["src/cli", "src/model"],
};

/** Both wings stand on this ground floor. */
export const GROUND_FLOOR = ["src/wire", "src/model", "src/sdk", "src/safety", "src/config", "src/observe"];

/** Heavy packages, and the only rooms that may name them: a worker must start fast and stay small. */
export const HEAVY_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  telegraf: ["channels/telegram"],
  "@slack/bolt": ["channels/slack"],
  undici: ["channels/slack"],
  "better-sqlite3": ["src/hub"],
  koffi: ["src/observe", "src/worker/transport"],
  pino: ["src/observe", "src/app"],
  "node-pty": ["src/worker/transport"],
  "@xterm/headless": ["src/worker/screen"],
  "@agentclientprotocol/sdk": ["src/worker/runtime/acp"],
  "@modelcontextprotocol/sdk": ["src/worker/runtime/mcp"],
  "@earendil-works/pi-tui": ["src/cli/watch"],
  "@resvg/resvg-js": ["src/hub/picture"],
};
