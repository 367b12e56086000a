import { CHANNEL_API, type ChannelPlugin } from "../../src/sdk/channel.js";
import { CliChannel } from "./channel.js";
import { cliSchema, type CliConfig } from "./config.js";

/** Nothing is drawn here, so nothing is too long; the numbers only have to be numbers. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const cli: ChannelPlugin<CliConfig> = {
  manifest: {
    id: "cli",
    api: CHANNEL_API,
    capabilities: {
      tokenBytesMax: UNBOUNDED,
      buttonsMax: UNBOUNDED,
      edit: true,
      freeText: true,
      files: false,
      pace: null,
    },
  },
  configSchema: cliSchema,
  places: () => ["terminal"],
  create: (_config, host) => new CliChannel(host),
};

export default cli;
