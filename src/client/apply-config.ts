/** Writes a changed configuration, after it was checked, and has a running hub use it. Starts no hub. */
import { writeConfigFile } from "../config/edit.js";
import { parseConfig } from "../config/load.js";
import type { Paths } from "../config/paths.js";
import type { Config } from "../config/schema.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { findHub } from "./connect/meet-hub.js";

/**
 * `written` is called between the file and the hub. Errors: ATB_CONFIG_INVALID (nothing is written); whatever keeps the hub from the
 * written file, ATB_CONFIG_*, ATB_HUB_* or ATB_WIRE_*, with words that say so.
 */
export async function applyConfig(
  paths: Paths,
  text: string,
  written: () => void = () => undefined,
): Promise<void> {
  const config = parseConfig(text, paths.config, channelSchemas);
  requireRoutes(config, paths.config);
  writeConfigFile(paths.config, text);
  written();
  await requestReload(paths).catch((error: unknown) => {
    throw error instanceof AtlasBridgeError ? createUnconfirmedError(paths.config, error) : error;
  });
}

async function requestReload(paths: Paths): Promise<void> {
  const hub = await findHub({ paths });
  try {
    await hub?.call("hub.reload", {});
  } finally {
    hub?.close();
  }
}

/** Who was taken out may still answer: nobody must believe otherwise, nor that nothing was written. */
function createUnconfirmedError(file: string, cause: AtlasBridgeError): AtlasBridgeError {
  const message = `${file} is changed, but the running hub has not confirmed that it uses it: ${cause.message}`;
  return new AtlasBridgeError(cause.code, message, {
    hint: "Until `atlasbridge hub reload` succeeds, the hub may still work by its old configuration.",
    cause,
  });
}

/** A route that names what is gone would keep the hub from using the file. */
function requireRoutes({ routes, people, channels }: Config, file: string): void {
  routes.forEach(({ deliver_to = [], approvers = [] }, index) => {
    const lost = [
      ...deliver_to.filter((place) => !Object.hasOwn(channels, place.split(":")[0] ?? "")),
      ...approvers.filter((approver) => !people.some(({ name }) => name === approver)),
    ];
    if (lost.length > 0)
      throw new AtlasBridgeError(
        "ATB_CONFIG_INVALID",
        `${file}: routes.${index} still names ${lost.join(", ")}`,
        {
          hint: "Change that route first. Nothing was changed.",
        },
      );
  });
}
