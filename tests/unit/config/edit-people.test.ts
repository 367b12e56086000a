/** People and channels are taken out of the configuration file node by node: the rest of the file, comments included, stays. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addPairing } from "../../../src/config/edit.js";
import { mergePeople, removeChannelFrom, removePerson, setRole } from "../../../src/config/edit-people.js";

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

describe("the chats of a removed person", () => {
  const ROUTED = `channels: { telegram: { deliver_to: [1001, 1002, -7] } }
people: [{ name: Bo, identities: [telegram:1002], role: approver }]
routes:
  - { deliver_to: [telegram:1001, telegram:1002], approvers: [Ara, Bo] }
  - { deliver_to: [telegram:1002], approvers: [Bo] }
`;

  it("are taken out of the channel, and out of each route that has others", () => {
    const left = parse(removePerson(ROUTED, "Bo", ["telegram:1002"]) ?? "") as unknown;
    expect(left).toMatchObject({
      channels: { telegram: { deliver_to: [1001, -7] } },
      routes: [
        { deliver_to: ["telegram:1001"], approvers: ["Ara"] },
        // Without its lists this route would send everything everywhere.
        { deliver_to: ["telegram:1002"], approvers: ["Bo"] },
      ],
    });
  });
});

describe("the role of a person", () => {
  it("changes in place", () => {
    expect(setRole(FILE, "Bo", "approver")).toContain("role: approver\nchannels:");
    expect(setRole(FILE, "Cy", "viewer")).toBeNull();
  });
});

describe("adding a person", () => {
  const add = (identity: string, role: "approver" | "viewer", place: number | null = null) => {
    const text = addPairing(FILE, { channel: "telegram", place, person: { name: "Ara", identity, role } });
    const { people, channels } = parse(text) as {
      people: { name: string; identities: string[]; role: string }[];
      channels: { telegram: { deliver_to: number[] } };
    };
    return { people: people.map(({ name, identities }) => [name, ...identities]), channels };
  };

  it("changes nothing for an account that is listed, whatever role is wanted", () => {
    expect(add("telegram:1001", "viewer").people).toEqual(add("telegram:1002", "approver").people);
  });

  it("takes an account of another service for the same person only with the same role", () => {
    expect(add("ntfy:ara", "approver").people[0]).toEqual([
      "Ara",
      "telegram:1001",
      "slack:T1/U2",
      "ntfy:ara",
    ]);
    expect(add("ntfy:ara", "viewer").people[2]).toEqual(["Ara (ntfy:ara)", "ntfy:ara"]);
  });

  it("takes a second account of the same service for somebody else of that name", () => {
    expect(add("telegram:1003", "approver", 1003)).toMatchObject({
      people: [
        ["Ara", "telegram:1001", "slack:T1/U2"],
        ["Bo", "telegram:1002"],
        ["Ara (telegram:1003)", "telegram:1003"],
      ],
      channels: { telegram: { deliver_to: [1001, 1003] } },
    });
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
