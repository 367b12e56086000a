/** What a session leaves behind answers no other session, and each attempt is on record. */
import { afterEach, beforeEach, describe, it } from "vitest";
import { HubHome } from "../support/hub-home.js";
import { expectLeftBehindRefused } from "../support/left-behind.js";
import { notLinux, skipped } from "../support/skipped.js";

/** Each form once. */
const COUNT = 7;

describe.skipIf(skipped(notLinux))("what a session leaves behind is refused", () => {
  let home: HubHome;
  beforeEach(() => {
    home = new HubHome();
  });
  afterEach(() => home.close());

  it("when the session ends", () => expectLeftBehindRefused(home, COUNT, "by itself"));

  it("when its worker is killed", () => expectLeftBehindRefused(home, COUNT, "killed"));
});
