import { writeConfigFile } from "../config/edit.js";
import { parseConfig } from "../config/load.js";
import type { Paths } from "../config/paths.js";
import type { Config } from "../config/schema.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { readPlaces } from "./channels/list-channels.js";
import { askFoundHub } from "./connect/meet-hub.js";

/**
 * Checks and writes the configuration, calls `written`, and has a running hub reload it. The hub keeps its own values of the variables:
 * who changes a role does not expect that this shell's token replaces the hub's. Errors: ATB_CONFIG_INVALID (nothing is written);
 * ATB_CONFIG_*, ATB_HUB_* or ATB_WIRE_* if the hub did not confirm the written file.
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
  await askFoundHub(paths, (hub) => hub.call("hub.reload", {})).catch((error: unknown) => {
    throw error instanceof AtlasBridgeError ? createUnconfirmedError(paths.config, error) : error;
  });
}

/** A removed person may still answer until the hub reloads, so the error says that the file is written. */
function createUnconfirmedError(file: string, cause: AtlasBridgeError): AtlasBridgeError {
  const message = `${file} is changed, but the running hub has not confirmed that it uses it: ${cause.message}`;
  return new AtlasBridgeError(cause.code, message, {
    hint: "Until `atlasbridge hub reload` succeeds, the hub may still work by its old configuration.",
    cause,
  });
}

/** The hub refuses a file whose routes name removed people or chats. */
function requireRoutes({ routes, people, channels }: Config, file: string): void {
  const chats = Object.entries(channels).flatMap(([id, settings]) =>
    readPlaces(settings).map((place) => `${id}:${place}`),
  );
  routes.forEach(({ deliver_to = [], approvers = [] }, index) => {
    const lost = [
      ...deliver_to.filter((chat) => !chats.includes(chat)),
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
