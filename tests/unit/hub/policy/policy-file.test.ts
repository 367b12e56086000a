/** A policy file: mistakes are named with line and column, and what cannot be kept to its words is refused at load. */
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../../src/hub/policy/load-policy.js";
import { AtlasBridgeError } from "../../../../src/model/errors.js";

function problem(text: string, people: readonly string[] | null = null): string {
  try {
    parsePolicy(text, "policy.yaml", people);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(AtlasBridgeError);
    return (error as Error).message;
  }
}

const rule = (body: string): string => `version: 1\nrules:\n  - id: r\n${body.replace(/^/gm, "    ")}\n`;

describe("a policy file", () => {
  it("needs its version, and nothing else", () => {
    expect(problem("version: 1")).toBe("");
    expect(problem("")).toContain('"version" is missing');
    expect(problem("version: 2")).toContain("policy.yaml:1:10");
  });

  it.each([
    ["comand: [ls]", 'policy.yaml:5:7: unknown key "rules.0.match.comand"; did you mean "command"?'],
    ["class: permision", 'policy.yaml:5:14: "rules.0.match.class"'],
    ["command: ['ls; rm x']", "expected plain words"],
    ["command: ['ls $x']", "expected plain words"],
    ["command: [\"'ls'\"]", "expected plain words"],
    ["pattern: '(a)\\1'", "linear time"],
    ["pattern: '(?=a)b'", "linear time"],
    ["pattern: '['", "linear time"],
    ["path: 'src/*.ts'", "takes no wildcards"],
    ["time: { from: '9', to: '10:00' }", "expected a time"],
    ["any_of: []", "rules.0.match.any_of"],
    ["none_of: [{ comand: ls }]", 'did you mean "command"?'],
  ])("names the mistake in %s", (match, text) => {
    expect(problem(rule(`match:\n  ${match}\nask: true`))).toContain(text);
  });

  it.each([
    ["sudo ls", "sudo runs other programs"],
    ["env ls", "env runs other programs"],
    ["/usr/bin/xargs ls", "xargs runs other programs"],
    ["bash scripts/x.sh", "bash runs other programs"],
    ["busybox ls", "busybox runs other programs"],
    ["python3", "name that as well"],
    ["python3.12", "name that as well"],
    ["python3 -m", "name that as well"],
    ["python3 -c x", "may take a program"],
    ["node -r x", "may take a program"],
    ["awk", "write {exactly"],
    ["npx", "name that as well"],
    ["uv run", "name that as well"],
    ["npm exec", "name that as well"],
    ["docker", "name that as well"],
    ["docker exec web", "name that as well"],
    ["docker run --rm", "name that as well"],
    ["docker compose", "name that as well"],
    ["uv run --quiet", "name that as well"],
    ["npm exec --yes", "name that as well"],
    ["docker exec web sh", "sh runs other programs"],
  ])("refuses to answer for %s", (command, text) => {
    const found = problem(rule(`match: { command: ["${command}"] }\nanswer: allow_once`));
    expect(found).toContain(text);
    expect(found).toMatch(/^policy\.yaml:4:\d+: "rules\.0\.match\.command\.0"/);
    expect(problem(rule(`match: { any_of: [{ command: ["${command}"] }] }\nanswer: allow_once`))).toContain(
      text,
    );
    expect(problem(rule(`match: { command: ["${command}"] }\ndeny: true`))).toBe("");
  });

  it.each([
    "python3 -m pytest",
    "python3 manage.py test",
    "npx tsc",
    "node scripts/a.js",
    "docker ps",
    "docker exec web ls",
    "constructor x",
    "git",
    "npm run",
  ])("may answer for %s", (command) =>
    expect(problem(rule(`match: { command: ["${command}"] }\nanswer: allow_once`))).toBe(""),
  );

  it("has exactly one action a rule, and limits only for answers", () => {
    expect(problem(rule("match: {}"))).toContain("exactly one of");
    expect(problem(rule("ask: true\nnotify: true"))).toContain("exactly one of");
    expect(problem(rule("ask: true\nmax: 3"))).toContain("max and rate limit answers");
    expect(problem(rule("answer: allow_always"))).toContain('"allow_once"');
  });

  it("names a rule once", () => {
    expect(problem(`${rule("ask: true")}  - id: r\n    ask: true\n`)).toContain(
      'policy.yaml:5:9: "rules.1.id": another rule',
    );
  });

  it("names people of the configuration, or roles of its own", () => {
    const text = rule("ask: { approvers: [lead, Ben] }").replace("\n", "\nroles: { lead: [Ara] }\n");
    expect(problem(text, ["Ara", "Ben"])).toBe("");
    expect(problem(text, ["Ara"])).toContain(
      'policy.yaml:5:30: "rules.0.ask.approvers.1": nobody is called "Ben"',
    );
    expect(problem(text, ["Ben"])).toContain('policy.yaml:2:17: "roles.lead.0": nobody is called "Ara"');
  });

  it("names nobody who does not exist, also by a word that every object has; a step may go to nobody", () => {
    expect(problem(rule("ask: { escalate: [{ after: 1s, to: nobodyatall }] }"), ["Ara"])).toBe("");
    expect(problem(rule("ask: { approvers: toString }"), ["Ara"])).toContain('nobody is called "toString"');
    expect(problem(rule("ask: { approvers: [constructor] }"), ["constructor"])).toBe("");
  });

  it("takes no home directory of others, and no time of zero that would make a limit none", () => {
    expect(problem(rule("match: { path: ~bob/x }\nask: true"))).toContain("only ~/ is known");
    expect(problem(rule("match: { path: [~/x, '~'] }\nask: true"))).toBe("");
    const rated = "match: { command: ls }\nanswer: allow_once\nrate: { uses: 5, per: 0s }";
    expect(problem(rule(rated))).toContain("above zero");
    expect(problem("version: 1\ncountdown: 0s")).toContain("above zero");
  });
});
