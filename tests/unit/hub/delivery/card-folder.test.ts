/** The card of an open prompt names its session's whole folder, so that two sessions are never taken for one another. */
import { expect, it } from "vitest";
import { makeRig, SESSION, sessionParams } from "../rig.js";
import { turns } from "../fake-channel.js";

const cwd = "/srv/customer-one/deployments/production/services/api";

it("a card shows every name of a long folder, and a text about the same session the short form", async () => {
  const rig = await makeRig({ unopened: true });
  await rig.core.handlers["session.open"](sessionParams({ cwd }), { sessionId: null });
  await rig.raise();
  expect(rig.chat.cards()[0]!.notice.session.place).toBe(cwd);
  await rig.core.handlers["session.close"](
    { sessionId: SESSION, exitCode: 3, signal: null },
    { sessionId: SESSION },
  );
  rig.clock.advance(5_000);
  await turns();
  const notices = rig.chat.messages.map(({ notice }) => notice);
  const end = notices.find(({ kind }) => kind === "text");
  expect(end?.session.place).toBe("/srv/…/production/services/api");
});
