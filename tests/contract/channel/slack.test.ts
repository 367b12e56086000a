/** The channel contract holds for Slack. */
import slack from "../../../channels/slack/index.js";
import { channelChecks } from "../../../src/compat/testing/channel-kit.js";
import { serviceChecks } from "../../../src/compat/testing/service-kit.js";
import { registerChecks } from "../../support/register-checks.js";
import { openSlack } from "./slack-bench.js";

registerChecks("every channel", channelChecks(slack, openSlack));
registerChecks("every channel with a service", serviceChecks(slack, openSlack));
