/** `policy check` names what cannot work in a valid file: a step to nobody, too few people who may approve, rules that never act. */
import { describe, expect, it } from "vitest";
import { checkRules, checkSteps, checkTerms, type KnownPerson } from "../../../src/policy/check-policy.js";
import { parseRules } from "../../support/policy/policies.js";

const parse = (to: string) =>
  parseRules(
    `  - { id: production, match: { path: ~/srv/prod }, ask: { escalate: [{ after: 5m, to: ${to} }] } }\n`,
    "mode: full\nroles: { lead: [Ben] }",
  );

it("names a step to a word that is no person and no role", () => {
  expect(checkSteps(parse("boss"), ["Ara", "Ben"])).toEqual([
    { rule: "production", problem: expect.stringContaining("its step to boss reaches nobody") as string },
  ]);
});

it("has nothing to say of a step to a person or to a role", () => {
  for (const to of ["lead", "Ben"]) expect(checkSteps(parse(to), ["Ara", "Ben"])).toEqual([]);
});

describe("of the people whom a rule asks", () => {
  const PEOPLE: readonly KnownPerson[] = [
    { name: "Ara", role: "approver" },
    { name: "Ben", role: "viewer" },
    { name: "Cat", role: "approver" },
  ];
  const check = (terms: string, people = PEOPLE) =>
    checkTerms(parseRules(`  - { id: r, match: { path: src }, ask: ${terms} }\n`), people).map(
      ({ problem }) => problem,
    );

  it.each([
    ["{ quorum: 2, approvers: [Ara, Ben] }", "2 people must approve, and by their roles only Ara may"],
    ["{ quorum: 3 }", "3 people must approve, and by their roles only Ara, Cat may"],
    ["{ approvers: [Ben] }", "by their roles its approvers only look"],
    ["{ expires: 2m, escalate: [{ after: 5m, to: Cat }] }", "its step to Cat never comes"],
    ["{ local_only: true, escalate: [{ after: 5m, to: Cat }] }", "its steps never come"],
  ])("%s is told", (terms, told) => expect(check(terms)).toEqual([expect.stringContaining(told)]));

  it.each([
    "{ quorum: 2 }",
    "{ quorum: 2, approvers: [Ara, Cat] }",
    "{ quorum: 2, approvers: [Ara], escalate: [{ after: 5m, to: Cat }] }",
    "{ approvers: [Ara, Ben] }",
    "{ expires: 10m, escalate: [{ after: 5m, to: Cat }] }",
    "true",
  ])("%s is in order", (terms) => expect(check(terms)).toEqual([]));
});

describe("a rule", () => {
  const check = (...rules: string[]) =>
    checkRules(parseRules(rules.map((rule, at) => `  - { id: r${at}, ${rule} }\n`).join(""))).map(
      ({ rule, problem }) => `${rule}: ${problem}`,
    );

  it.each([
    [['match: { time: { from: "07:00", to: "07:00" } }, deny: true'], "r0: it never acts: no time lies"],
    [["match: { path: src, none_of: [{}] }, answer: allow_once"], "r0: it never acts: an entry of none_of"],
    [
      ["match: { host: 'https://example.com/x' }, answer: allow_once"],
      "r0: https://example.com/x is no name",
    ],
    [["match: { host: ['a.com', 'evil.com:8080'] }, deny: true"], "r0: evil.com:8080 is no name of a host"],
    [
      ["match: { path: . }, answer: allow_once", "match: { path: src }, answer: allow_once"],
      "r1: it never acts: rule r0 above it",
    ],
    [
      ["match: { path: ~/srv }, deny: true", "match: { path: [~/srv/a, ~/srv/b/..] }, deny: true"],
      "r1: it never acts: rule r0 above it",
    ],
  ])("%j is told", (rules, told) => expect(check(...rules)).toEqual([expect.stringContaining(told)]));

  it.each([
    [["match: { path: src }, answer: allow_once", "match: { path: . }, answer: allow_once"]],
    [["match: { path: . }, answer: allow_once", "match: { path: ../a }, answer: allow_once"]],
    [["match: { path: . }, answer: allow_once", "match: { path: /srv }, answer: allow_once"]],
    [["match: { host: ['*.example.com', localhost, '10.0.0.1', '[::1]'] }, answer: allow_once"]],
    [['match: { time: { from: "22:00", to: "07:00" } }, deny: true']],
  ])("%j is in order", (rules) => expect(check(...rules)).toEqual([]));
});
