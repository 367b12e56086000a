/** People and channels are taken out of the configuration file node by node: the rest of the file, comments included, stays. */
import { describe, expect, it } from "vitest";
import { mergePeople, removeChannelFrom, removePerson } from "../../../src/config/edit-people.js";

const FILE = `# mine
people:
  # the one with the phone
  - { name: Ara, identities: [telegram:1001, slack:T1/U2], role: approver }
  - name: Bo
    identities:
      - telegram:1002 # his own
    role: viewer
channels:
  telegram:
    token: file:telegram.token # from BotFather
    deliver_to: [1001]
  slack: { bot_token: a, app_token: b }
prompts: { expires_after: 10m } # short
`;

describe("removing a person", () => {
  it("keeps everything else", () => {
    const text = removePerson(FILE, "Bo") ?? "";
    expect(text).not.toContain("name: Bo");
    for (const kept of ["# mine", "# the one with the phone", "# from BotFather", "# short", "slack:T1/U2"])
      expect(text).toContain(kept);
  });

  it("is null where there is none", () => {
    expect(removePerson(FILE, "Cy")).toBeNull();
    expect(removePerson("", "Cy")).toBeNull();
  });
});

describe("merging two entries", () => {
  it("gives one the accounts of both and its own role", () => {
    const text = mergePeople(FILE, "Bo", "Ara") ?? "";
    expect(text).toMatch(/name: Ara,\s+identities:\s+\[\s*telegram:1001,\s+slack:T1\/U2,\s+telegram:1002/);
    expect(text).not.toContain("name: Bo");
    expect(text).toContain("# mine");
  });

  it("is null where one is missing or both are the same", () => {
    expect(mergePeople(FILE, "Bo", "Cy")).toBeNull();
    expect(mergePeople(FILE, "Bo", "Bo")).toBeNull();
  });
});

describe("removing a channel", () => {
  it("takes its accounts away, and people who have no other", () => {
    const { text, people } = removeChannelFrom(FILE, "telegram");
    expect(people).toEqual(["Bo"]);
    expect(text).not.toMatch(/telegram|name: Bo/);
    expect(text).toMatch(/identities: \[ ?slack:T1\/U2 ?\]/);
    expect(text).toContain("# short");
  });

  it("keeps the comment above a section that is empty then", () => {
    const only =
      "# mine\nchannels: { telegram: { token: a } }\npeople: [{ name: A, identities: [telegram:1], role: approver }]\n";
    expect(removeChannelFrom(only, "telegram").text).toBe("# mine\nchannels: {}\npeople: []\n");
  });
});
