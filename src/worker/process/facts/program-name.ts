/** Names a process as people know it: `bash install.sh` is `install.sh`, while `bash` alone is a shell that reads commands. */
import { basename } from "node:path";
import { SHELLS } from "../../../model/data/shells.js";

const OTHER_INTERPRETERS =
  /^(?:python[\d.]{0,4}|pypy3?|node|nodejs|MainThread|deno|bun|ruby[\d.]{0,4}|perl[\d.]{0,7}|lua[\d.]{0,4}|luajit|php[\d.]{0,4}|tclsh[\d.]{0,4}|Rscript)$/u;

/** Options whose value is the next argument. */
const WITH_VALUE =
  /^(?:[-+][oO]|--rcfile|--init-file|-[WX]|-r|--require|--import|--loader|-C|--conditions|--env-file)$/u;
/** Options behind which the program's text or its module's name stands. */
const CODE = /^(?:-[a-zA-Z]{0,4}[ce]|-p|-pe|--eval|--print|-m)$/u;

/**
 * `name`: the system's name of the process. `words`: its command line. `readsInput`: its standard input is the terminal;
 * otherwise an interpreter without a script runs its input (`curl … | sh`).
 */
export function nameProgram(name: string, words: readonly string[], readsInput: boolean): string {
  if (!SHELLS.has(name) && !OTHER_INTERPRETERS.test(name)) return name;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    // After its script it reads commands.
    if (word === "-i") return name;
    if (CODE.test(word)) return `${name} ${word}`;
    if (WITH_VALUE.test(word)) at++;
    else if (!/^[-+]./u.test(word)) return basename(word);
  }
  return readsInput ? name : `${name} -`;
}
