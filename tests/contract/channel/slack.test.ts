/** The channel contract holds for Slack. */
import slack from "../../../channels/slack/index.js";
import { describeChannel, describeService } from "../channel-contract.js";
import { openSlack } from "./slack-bench.js";

describeChannel(slack, openSlack);
describeService(slack, openSlack);
