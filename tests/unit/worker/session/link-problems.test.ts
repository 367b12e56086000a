/** A session without a hub says why: while its prompts wait, and at its end. A hub that refused it is not called too new. */
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import {
  describeMissingHub,
  describeRelayProblem,
  type LinkFacts,
} from "../../../../src/worker/session/link-problems.js";

const LOST: LinkFacts = {
  connected: false,
  state: "lost",
  wasOpened: false,
  expectsHub: true,
  openFailure: null,
  refusal: null,
};

function findLink(over: Partial<LinkFacts>): LinkFacts {
  return { ...LOST, ...over };
}

const REFUSED = findLink({
  state: "refused",
  refusal: new AtlasBridgeError("ATB_HUB_REFUSED", "another user"),
});
const TOO_NEW = findLink({
  state: "refused",
  refusal: new AtlasBridgeError("ATB_WIRE_TOO_OLD", "9 is needed"),
});
const FAILED = new AtlasBridgeError("ATB_HUB_UNREACHABLE", "the hub ended at once.", {
  hint: "See its log.",
});

describe("a session without a hub", () => {
  it.each([
    ["nothing while it is connected", findLink({ connected: true }), FAILED, null],
    ["that the hub is too new", TOO_NEW, null, "the hub is too new for this program"],
    ["that the hub refused it", REFUSED, null, "the hub refused this session"],
    ["that a person stopped the hub", findLink({ expectsHub: false }), null, "the hub was stopped"],
    ["why no hub could be started", findLink({ openFailure: "x" }), FAILED, "the hub ended at once."],
    ["why the session was not opened", findLink({ openFailure: "no room" }), null, "no room"],
    ["that it knows no more", findLink({}), null, "no hub has the session"],
  ])("says %s", (_what, link, problem, words) => {
    expect(describeMissingHub(link, problem)).toBe(words);
  });

  it.each([
    [REFUSED, null, "this session was not relayed: the hub refused it (another user)."],
    [TOO_NEW, null, "its AtlasBridge is too old for the new hub"],
    [findLink({}), FAILED, "nothing was relayed: the hub ended at once. See its log."],
    [
      findLink({ wasOpened: true }),
      FAILED,
      "this session was no longer relayed: the hub ended at once. See its log.",
    ],
  ])("tells its user at the end (%#)", (link, problem, words) => {
    expect(describeRelayProblem(link, problem)).toContain(words);
  });

  it("tells its user nothing where nothing went wrong", () => {
    expect(describeRelayProblem(findLink({}), null)).toBeNull();
    expect(describeRelayProblem(findLink({ connected: true }), FAILED)).toBeNull();
  });
});
