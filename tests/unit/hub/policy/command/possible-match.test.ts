/** What a rule that denies or asks means: also other spellings of its words, and what may be one is not answered. */
import { describe, expect, it } from "vitest";
import { containsAny, readCommandLine } from "../../../../../src/hub/policy/command/command-line.js";
import { parsePrefix } from "../../../../../src/hub/policy/command/prefix.js";
import { commandPrompt, judge, parseRules } from "../../../../support/policy/policies.js";

const truth = (line: string, prefix: string) =>
  containsAny(readCommandLine(line), [parsePrefix(prefix)], "any").truth;

describe("a rule that forbids", () => {
  it.each([
    ["git push --force", "git push --force origin main"],
    ["git push --force", "git push origin main --force"],
    ["git push --force", "git -C x push -f"],
    ["git push --force", "git push -uf origin main"],
    ["git push --force", "git push origin +main"],
    ["git push origin --force", "git push --force origin"],
    ["rm -rf", "rm -fr x"],
    ["rm -rf", "rm -r -f x"],
    ["rm -rf", "rm --recursive --force x"],
    ["rm --recursive", "rm -R x"],
    ["git commit --no-verify", "git commit -nm x"],
    ["pip install", "python3 -m pip install x"],
    ["pip install", "python3 -mpip install x"],
    ["eslint", "npx eslint ."],
    ["rimraf", "npm exec rimraf x"],
    ["git push", "git.exe push"],
  ])("%s, finds %s", (rule, line) => expect(truth(line, rule)).toBe("yes"));

  it.each([
    ["git push --force", "git push --forc"],
    ["git push --force", "git push --force-with-lease"],
    ["git push --force", "git push --force=x"],
    ["git push --force", "git push $x"],
    ["git push --force", "git -c alias.p='push --force' p"],
    ["git push", "git p"],
    ["git push origin main", "git push origin HEAD:main"],
    ["git push origin main", "git push origin refs/heads/main"],
    ["npm publish", "npm pub"],
    ["npm publish --access=public", "npm publish --access public"],
    ["rm -rf", "rm --recurs -f x"],
    ["docker run --privileged", "docker run --privil x"],
    ["git reset --hard", "git reset --har"],
    ["rimraf", "npx -p x rimraf y"],
    ["rm -r", "docker exec -it web rm -r x"],
    ["terraform apply -auto-approve", "terraform apply --auto-approve"],
  ])("%s, is not sure of %s", (rule, line) => expect(truth(line, rule)).toBe("unknown"));

  it.each([
    ["git push --force", "git push"],
    ["git push --force", "git push -u origin main"],
    ["git push --force", "git push --tags origin main"],
    ["git push --force", "git status -s"],
    ["git push", "git log --oneline -5"],
    ["git push", "git commit -m 'do not push'"],
    ["rm -rf", "rm x"],
    ["rm -rf", "rm -i x"],
    ["git commit --no-verify", "git commit -am x"],
    ["npm publish", "npm test -- log"],
    ["pip install", "python3 -m pytest install"],
    ["find -delete", "find . -name x -type d"],
  ])("%s, lets pass %s", (rule, line) => expect(truth(line, rule)).toBe("no"));
});

it("no other spelling of what is denied is answered by a broader rule", () => {
  const policy = parseRules(`
  - { id: never, match: { command: [git push --force] }, deny: true }
  - { id: push, match: { class: permission, command: [git push] }, answer: allow_once }
`);
  const kinds = [
    "git push -f",
    "git push --forc",
    "git push origin +main",
    "git push --force-with-lease",
    "git push origin main",
  ].map((line) => judge(policy, commandPrompt(line)).kind);
  expect(kinds).toEqual(["deny", "ask", "deny", "ask", "answer"]);
});
