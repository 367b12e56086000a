/** The section of the adapter schema that describes a key, for error messages. */

/** Section 3 and the following ones, in order. */
const SECTIONS = [
  "process",
  "ready",
  "init",
  "prompt",
  "output",
  "input",
  "modes",
  "commands",
  "signals",
  "lifecycle",
  "capabilities",
  "probe",
  "tests",
];
const FIRST = 3;
const ALL_KEYS = 2;

/** `problems`: a problem a line, each of which quotes the path of its key; others stay as they are. */
export function addSections(problems: string): string {
  return problems.replace(/: (?:unknown key )?"(\w{1,40})[".].*$/gm, (problem, key: string) => {
    const at = SECTIONS.indexOf(key === "integration_script" ? "init" : key);
    return `${problem} (adapter schema, section ${at < 0 ? ALL_KEYS : FIRST + at})`;
  });
}
