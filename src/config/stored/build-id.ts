/** Names this build of the program, for what one build stores and only the same one may read. */

/** The build puts a digest of all its files here. */
const BUILD_ID = "@@atlasbridge-build@@";

/** Null from source, where every edit would be another build. */
export function getBuildId(): string | null {
  return BUILD_ID.startsWith("@@") ? null : BUILD_ID;
}
