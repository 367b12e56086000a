/** Whether the opencode that we are tested with still speaks as the kept excerpt of its document says. */
import { expect, it, vi } from "vitest";
import { keptExcerpt } from "../support/session-server-schema/excerpt.js";
import { installedExcerpt } from "../support/session-server-schema/installed.js";

vi.setConfig({ testTimeout: 120_000 });

it("opencode's document of its server is the one that is kept, in all that we hear and say", async () => {
  const [kept, installed] = [keptExcerpt(), await installedExcerpt()].map(
    ({ operations, definitions }): Readonly<Record<string, unknown>> => ({ ...operations, ...definitions }),
  ) as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  const changed = [...new Set([...Object.keys(kept), ...Object.keys(installed)])].filter(
    (name) => JSON.stringify(kept[name]) !== JSON.stringify(installed[name]),
  );
  // Make it again (tests/support/session-server-schema/main.ts), and read what has changed.
  expect(changed).toEqual([]);
});
