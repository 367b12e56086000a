/** Whether the codex that we are tested with still speaks as the kept excerpt of its schema says. */
import { expect, it, vi } from "vitest";
import { keptExcerpt } from "../support/app-server-schema/excerpt.js";
import { installedExcerpt } from "../support/app-server-schema/installed.js";

vi.setConfig({ testTimeout: 120_000 });

it("codex's schema of its app server is the one that is kept, in all that we hear and say", async () => {
  const [kept, installed] = [keptExcerpt().definitions, (await installedExcerpt()).definitions];
  const changed = [...new Set([...Object.keys(kept), ...Object.keys(installed)])].filter(
    (name) => JSON.stringify(kept[name]) !== JSON.stringify(installed[name]),
  );
  // Make it again (tests/support/app-server-schema/main.ts), and read what has changed.
  expect(changed).toEqual([]);
});
