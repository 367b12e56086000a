/** What `channel trust` puts down for every address of a configuration that is not a service's own. Only while no hub runs. */
import {
  CONFIRMED_KEY,
  buildConfirmation,
  findForeignEndpoint,
} from "../../src/plugins/channels/endpoints.js";
import { channelSchemas } from "../../src/plugins/channels/channel-schemas.js";
import { loadConfig } from "../../src/config/load.js";
import type { Paths } from "../../src/config/paths.js";
import { ensureHubDirectories } from "../../src/config/private-files.js";
import { openStore } from "../../src/hub/store/open-store.js";
import { redact } from "../../src/safety/redact.js";

export async function trustAddresses(paths: Paths): Promise<void> {
  const { channels } = loadConfig({
    file: paths.config,
    channels: channelSchemas,
    env: process.env,
    secrets: "resolve",
  });
  ensureHubDirectories(paths);
  const store = await openStore({ path: paths.database, auditKey: paths.auditKey, redact });
  store.write(() => {
    for (const [id, settings] of Object.entries(channels)) {
      const endpoint = findForeignEndpoint(id, settings);
      if (endpoint) store.settings.set(id, CONFIRMED_KEY, buildConfirmation(endpoint));
    }
  });
  store.close();
}
