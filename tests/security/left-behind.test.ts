/** None of 100 daemons of ended sessions answers another session, and each attempt is on record (`npm run test:security`). */
import { chownSync } from "node:fs";
import { describe, it } from "vitest";
import { HubHome } from "../support/hub-home.js";
import { expectLeftBehindRefused } from "../support/left-behind.js";
import { noOtherUser, OTHER_UID } from "../support/other-user.js";
import { notLinux, skipped } from "../support/skipped.js";
import { BULK_HANG_MS, scaleCount } from "./support/scale.js";

/** Each form at least once. */
const DAEMONS = scaleCount(100, 7);

describe.skipIf(skipped(notLinux))(`${DAEMONS} daemons that a session left behind answer nothing`, () => {
  async function expectRefused(uid?: number): Promise<void> {
    const home = new HubHome(uid === undefined ? {} : { uid });
    if (uid !== undefined) chownSync(home.folder, uid, uid);
    try {
      await expectLeftBehindRefused(home, DAEMONS, "by itself");
      console.log(`${DAEMONS} daemons of an ended session: 0 answered, all on record`);
    } finally {
      await home.close();
    }
  }

  it("as the user who runs these tests", () => expectRefused(), BULK_HANG_MS);

  it.skipIf(skipped(noOtherUser()))("as an ordinary user", () => expectRefused(OTHER_UID), BULK_HANG_MS);
});
