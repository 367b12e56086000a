/** What fits one line of a phone beside a session's label. */
const SHORT_MAX = 40;

/** The whole folder, with `~` for the home folder: `~/src/api`. */
export function abbreviateHome(folder: string, home: string): string {
  const isInHome = home.length > 1 && (folder === home || folder.startsWith(`${home}/`));
  return isInHome ? `~${folder.slice(home.length)}` : folder;
}

/** `~/src/api`; of a long folder the first and the last names: `~/…/services/api`. */
export function shortenFolder(folder: string, home: string): string {
  const path = abbreviateHome(folder, home);
  const [first = "", second = "", ...names] = path.split("/");
  const start = first === "~" ? first : `${first}/${second}`;
  const rest = first === "~" ? [second, ...names] : names;
  if (path.length <= SHORT_MAX || rest.length < 2) return path;
  let end = rest.pop() ?? "";
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (`${start}/…/${name}/${end}`.length > SHORT_MAX) break;
    end = `${name}/${end}`;
  }
  return `${start}/…/${end}`;
}
