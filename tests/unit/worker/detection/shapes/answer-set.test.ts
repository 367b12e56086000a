/** Spellings of answers as programs print them: what they offer, what Enter takes, and texts that offer nothing. */
import { describe, expect, it } from "vitest";
import { readAnswerSet, spellYesNo } from "../../../../../src/worker/detection/shapes/answers/answer-set.js";

function spell(line: string): string | null {
  const set = readAnswerSet(line);
  if (set === null) return null;
  const answers = set.answers.map(({ value, label }, at) => {
    const mark = at + 1 === set.byDefault ? "*" : "";
    return `${mark}${value}${label === value ? "" : `=${label}`}`;
  });
  return answers.join(" ");
}

describe("a yes and a no", () => {
  it.each([
    ["Go on? [Y/n] ", "y n"],
    ["Go on? (Y/N) ", "Y N"],
    ["Go on? [Yes/No] ", "Yes No"],
    ["Go on? [yes/NO] ", "yes no"],
    ["Go on? [y/n/a] ", undefined],
  ])("are typed for %j as %j", (line, typed) => {
    const set = readAnswerSet(line);
    expect((set && spellYesNo(set))?.join(" ")).toBe(typed);
  });
});

describe("answers at the end of a question", () => {
  it.each([
    // Third and further answers.
    ["Allow this? [y/n/t]: ", "y n t"],
    ["Create a personal library? (yes/No/cancel) ", "yes *No cancel"],
    ["Do you want to continue? [Y/n/q/?] ", "*Y n q ?"],
    ["Overwrite? [Yes/No/All] ", "Yes No All"],
    ["Continue? [y/n/v/...? shows all options] (y): ", "*y n v"],
    ["Overwrite app.rb? [Ynaqdh] ", "*Y n a q d h"],
    ["examine changes? [Ynesfdaq?] ", "*Y n e s f d a q ?"],
    ["(1/1) Stage this hunk [y,n,q,a,d,K,g,/,e,?]? ", "y n q a d K g / e ?"],
    ["*** file (Y/I/N/O/D/Z) [default=N] ? ", "Y I *N O D Z"],
    // Answers that explain themselves.
    ['[Y] Yes  [A] Yes to All  [N] No  [?] Help (default is "Y"): ', "*Y=Yes A=Yes to All N=No ?=Help"],
    ["Write it? [P] Yes, before  [N] No (default is “P”).", "*P=Yes, before N=No"],
    ["Send this email? ([y]es|[n]o|[e]dit|[a]ll): ", "y=yes n=no e=edit a=all"],
    ["(Y)es / (S)kip all / A(u)to rename all / (Q)uit? ", "Y=Yes S=Skip all u=Auto rename all Q=Quit"],
    ["(p) postpone, (df) show diff, (e) edit file: ", "p=postpone df=show diff e=edit file"],
    ["ok [Y(yes)|N(no)]: ", "Y=yes N=no"],
    ["[y|Y for Yes, n|N for No]:", "y=Yes n=No"],
    ["(Y)es/(N)o/(D)on't ask again [Yes]: ", "*Y=Yes N=No D=Don't ask again"],
    ["[O]pen Read-Only, (E)dit, (Q)uit: ", "*O=Open Read-Only E=Edit Q=Quit"],
    // Their default.
    ["Use clustering? (yes/no) [default=no]: ", "yes *no"],
    ["Fix<y>? ", "*y n"],
    ["Really enable it? [no]: ", "yes *no"],
    ["Proceed anyway? (y,N) ", "y *N"],
    ["Colour [red/green] (red): ", "*red green"],
    // Other languages.
    ["Möchten Sie fortfahren? [J/n] ", "*J n"],
    ["Souhaitez-vous continuer ? [O/n] ", "*O n"],
    ["¿Desea continuar? [S/n] ", "*S n"],
    ["Продолжить? [Д/н] ", "*Д н"],
    ["Weiter（y/N）：", "y *N"],
    ["Reset? (y/n/Cancel) ", "y n Cancel"],
    ["Overwrite (y/n/a)? [n]: ", "y *n a"],
    ["(R)etry, (A)bort, or (I)gnore? [R]: ", "*R=Retry A=Abort I=Ignore"],
    ["(R)eject, accept (t)emporarily or accept (p)ermanently? ", "R=Reject t=temporarily p=permanently"],
    // The letters stand behind their labels.
    ["Save? Yes [y]  No [n]  Cancel [c]: ", null],
    ["Retry [r]  Yes [y]  No [n]: ", null],
    ["Continue? Yes (y) / No (n)? ", null],
    ["Keep (k) or discard (d) it? ", null],
    ["Allow [y] Deny [n] Always [a] ", null],
    // Somebody types.
    ["(p) postpone, (df) show diff, (e) edit file: p", null],
    ['[Y] Yes  [N] No  [?] Help (default is "Y"): n', null],
    // No answers, or more of them than are read.
    ["Install now (i), later (l), or never (n)? ", null],
    ["Choose view (v), edit (e), or accept now (y)? ", null],
    ["HTTP proxy [no]: ", null],
    ["user@host <no> ", null],
    ["Device S/N: ", null],
    ["Keep old or new [o/n]: ", null],
    ["Language (si/no): ", null],
    ["Срок хранения (дн): ", null],
    ["error: expected Map<K,V>: ", null],
    ["Pick one (a/b) ", null],
    ["Date (dd/mm/yyyy): ", null],
    ["Delete 3 file(s), 2 dir(s)? ", null],
    ["See foo(1), bar(2)", null],
    ["Drive letter [n]: ", null],
    ["Name [none]: ", null],
    ["Switch (on)", null],
    ["Serial number (SN): ", null],
    ["Take which (a/n)? ", null],
    ["ratio y/nothing", null],
    // Letters in a row of their own, and two that differ in their case alone.
    ["e/n/d/q> ", "e n d q"],
    ["Continue? [y/N] >> ", "y *N"],
    ["replace b.txt [r/R/s]: ", "r R s"],
    // How a text is written.
    ["Date (d/m/y): ", null],
    ["Point (x,y): ", null],
    ["Which language do you want? [no] ", null],
    ["What is the port (y)? ", null],
    // A yes and a no in a sentence: no third letter, no other words, no yes that means an end.
    ["Press y to continue, n to cancel", "y n"],
    ["Please type 'yes', 'no' or the fingerprint: ", "yes no"],
    ["Press y to overwrite, r to rename, n to skip: ", null],
    ["Press y to accept, n to reject or q to quit: ", null],
    ["Press y to abort, or n to continue: ", null],
    ["Type yes to delete all, there is no undo: ", null],
    ["Hit y for yes, n for no, a for all: ", null],
  ])("%j offers %j", (line, answers) => {
    expect(spell(line)).toBe(answers);
  });

  it.each([
    ["Delete it? [y/N] ", "Delete it?"],
    ["Overwrite (y/n)? ", "Overwrite (y/n)?"],
    ["Change (N)ame, (E)mail, or (O)kay/(Q)uit? ", "Change (N)ame, (E)mail, or (O)kay/(Q)uit?"],
    ["replace a.txt? [y]es, [n]o, [A]ll: ", "replace a.txt?"],
    ["? (Y)es / (N)o / (Q)uit? ", "?"],
    ["[y/N] ", ""],
  ])("%j asks %j", (line, question) => {
    expect(readAnswerSet(line)?.question).toBe(question);
  });
});
