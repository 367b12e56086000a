/** Replaced by the build with a digest of all its files. */
const BUILD_ID = "@@atlasbridge-build@@";

/** Null when run from source. */
export function getBuildId(): string | null {
  return BUILD_ID.startsWith("@@") ? null : BUILD_ID;
}
