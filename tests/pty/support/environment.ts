/** Our own environment, with the one terminal type that the suites count on. */
export function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(own), TERM: "xterm-256color" };
}
