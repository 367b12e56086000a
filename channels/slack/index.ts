import { CHANNEL_API, type ChannelPlugin } from "../../src/sdk/channel.js";
import { type SlackConfig } from "./config.js";
import { createSlack } from "./create.js";
import { diagnose } from "./diagnose.js";
import { BUTTONS_MAX, BUTTON_VALUE_MAX } from "./limits.js";
import { PACE } from "./pace.js";
import { checkTokens, greet, PREPARATION } from "./pairing.js";

const slack: ChannelPlugin<SlackConfig> = {
  manifest: {
    id: "slack",
    api: CHANNEL_API,
    capabilities: {
      tokenBytesMax: BUTTON_VALUE_MAX,
      buttonsMax: BUTTONS_MAX,
      edit: true,
      freeText: true,
      files: true,
      steps: true,
      // Only the person who fills in a form sees it.
      pace: PACE,
    },
  },
  places: (config) => config.deliver_to,
  create: (config, host) => createSlack(config, host),
  pairing: {
    preparation: PREPARATION,
    afterRemoval:
      "The app is still installed in the workspace. Its page at https://api.slack.com/apps deletes it.",
    secrets: [
      { key: "app_token", question: "app-level token (xapp-…)", env: "SLACK_APP_TOKEN" },
      { key: "bot_token", question: "bot token (xoxb-…)", env: "SLACK_BOT_TOKEN" },
    ],
    check: (config, clock) => checkTokens(config, clock),
    greet,
  },
  diagnose,
};

export default slack;
