/** The scopes that the app's manifest requests. Pure. */
import manifest from "../manifest.json" with { type: "json" };

/** Missing ones of what the bot token was granted; empty when it has all. */
export function listMissingScopes(granted: readonly string[]): string[] {
  return manifest.oauth_config.scopes.bot.filter((scope) => !granted.includes(scope));
}

/** The manifest as people paste it. */
export function renderManifest(): string {
  return JSON.stringify(manifest, null, 2);
}
