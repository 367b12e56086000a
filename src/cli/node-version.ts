/** The oldest Node that everything runs on; package.json `engines` says the same. */
const OLDEST = { major: 20, minor: 19 };

export function checkNodeVersion(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return null;
  return `atlasbridge: Node ${version} is too old: Node ${OLDEST.major}.${OLDEST.minor} or newer is required. Install Node 24 (https://nodejs.org).`;
}
