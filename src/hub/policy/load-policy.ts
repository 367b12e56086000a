import * as v from "valibot";
import { parseYaml } from "../../config/yaml-file.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { compilePolicy, type CompiledPolicy } from "./compile.js";
import type { AskTerms } from "./verdict.js";
import { policyFile, toIssuePath, type PolicyFile } from "./file/policy-file.js";

/** Errors: ATB_CONFIG_INVALID with line and column. `people`: the names in the configuration; null: they are not known here. */
export function parsePolicy(text: string, file: string, people: readonly string[] | null): CompiledPolicy {
  const schema = people === null ? policyFile : requireKnownPeople(people);
  const policy = compilePolicy(parseYaml(text, file, schema, "ATB_CONFIG_INVALID"));
  for (const { id, terms } of policy.rules) requireEnoughApprovers(file, id, terms);
  return policy;
}

/**
 * People who should answer must exist: otherwise a prompt would wait for ever. A step to nobody removes none of the earlier
 * people, so `policy check` names it, and the prompt itself names the people whom the step did not reach.
 */
function requireKnownPeople(people: readonly string[]) {
  return v.pipe(
    policyFile,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const { name, path } of listNamed(dataset.value)) {
        if (people.includes(name)) continue;
        const message = `nobody is called "${name}": name people of the configuration, or a role of "roles"`;
        addIssue({ message, path: toIssuePath(path) });
      }
    }),
  );
}

interface NamedPerson {
  readonly name: string;
  readonly path: readonly (string | number)[];
}

/** Approvers by name, and those of roles; not the roles themselves. */
function listNamed({ roles, rules }: PolicyFile): readonly NamedPerson[] {
  const ofRoles = Object.entries(roles).flatMap(([role, names]) =>
    names.map((name, at) => ({ name, path: ["roles", role, at] })),
  );
  const ofRules = rules.flatMap(({ ask }, at) => {
    if (ask === undefined || ask === true) return [];
    const { approvers = [] } = ask;
    const own = ["rules", at, "ask", "approvers"];
    return typeof approvers === "string"
      ? [{ name: approvers, path: own }]
      : approvers.map((name, index) => ({ name, path: [...own, index] }));
  });
  return [...ofRoles, ...ofRules.filter(({ name }) => !Object.hasOwn(roles, name))];
}

/** A rule that can never be satisfied would leave its prompts to the terminal. */
function requireEnoughApprovers(
  file: string,
  id: string,
  { approvers, escalate = [], quorum = 1 }: AskTerms,
): void {
  if (approvers === undefined) return;
  if (new Set([...approvers, ...escalate.flatMap(({ people }) => people)]).size >= quorum) return;
  const found = `${quorum} people must approve, but only ${approvers.join(", ")} may`;
  throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: rule ${id}: ${found}`, {
    hint: "Name more approvers, or ask for fewer people; none of the file was applied.",
  });
}
