import {
  isWayProved,
  SETUP_STEPS,
  type SetupProgress,
  type SetupResult,
  type SetupStep,
} from "../../client/setup/setup.js";
import type { PairedPerson } from "../../client/channels/pair-person.js";
import { joinNames } from "../../client/setup/greeting.js";
import { makeVisible } from "../../safety/display.js";
import { getOwnName } from "../own-name.js";

const TITLES: Readonly<Record<SetupStep, string>> = {
  channel: "The bot that brings prompts to your phone",
  person: "Your phone",
  test: "A test question",
};

export function describeStep(step: SetupStep, channel: string): string[] {
  const number = SETUP_STEPS.indexOf(step) + 1;
  const opening =
    number > 1
      ? []
      : [
          `This sets up ${channel} in ${SETUP_STEPS.length} steps. Ctrl-C stops it at any time;`,
          "the next run goes on where it stopped.",
        ];
  return [...opening, "", `${number}/${SETUP_STEPS.length}  ${TITLES[step]}`, ""];
}

export function describeProgress(progress: SetupProgress): string[] {
  switch (progress.kind) {
    case "account":
      return [`✓ The token is valid. It belongs to ${makeVisible(progress.account)}.`];
    case "paired":
      return describePaired(progress.person);
    case "already_paired":
      return [
        `✓ Paired already: ${makeVisible(joinNames(progress.names))} may answer. (--pair adds one more person or group.)`,
      ];
    case "presence":
      return [describePresence(progress.deliverAfter)];
  }
}

export function describePaired({ name, role, identity, otherChats }: PairedPerson): string[] {
  const may = role === "approver" ? "may answer now" : "may look now";
  return [
    `✓ ${name} (${identity}) ${may}. The bot has said hello in the chat.`,
    ...(otherChats.length === 0
      ? []
      : [`  Prompts also go to ${joinNames(otherChats)}: who reads both sees each card twice.`]),
  ].map(makeVisible);
}

function describePresence(deliverAfter: string): string {
  return /^0+\D/.test(deliverAfter)
    ? "✓ Every prompt goes to the phone at once."
    : `✓ While you type in a tool's terminal, its prompts go to the phone only after ${deliverAfter} without a key (--deliver-after changes it).`;
}

export function describeTestAhead(isAttended: boolean): string[] {
  return isAttended
    ? ["A small program now asks the same question in this terminal and on your phone.", ""]
    : ["A small program now asks a question on your phone."];
}

export function formatSetup({ channel, test, tools, approvers, config }: SetupResult): string[] {
  return [
    ...(test === null ? [] : describeTest(test, channel)),
    "",
    ...(test === null || isWayProved(test, channel)
      ? [
          `Done: ${makeVisible(joinNames(approvers))} may answer over ${channel}. This is written in ${config}.`,
        ]
      : [
          `Not finished. Repeat the test with \`${getOwnName()} setup\`; \`${getOwnName()} doctor\` says what is wrong.`,
        ]),
    "",
    ...describeTools(tools),
    "",
    `A yes to what destroys, or to "don't ask again", also takes a number that this machine shows (\`${getOwnName()} prompts\`). \`prompts.number_for\` in the configuration changes that.`,
  ];
}

function describeTest(
  { answer, state, over, text, seconds }: NonNullable<SetupResult["test"]>,
  channel: string,
): string[] {
  if (answer === "none")
    return [
      "",
      "✗ Nobody answered the test question.",
      ...(text === null ? [] : [`  Its card says: ${text}`]),
    ];
  if (state === "answered")
    return [
      "",
      `${answer === "yes" && over === channel ? "✓" : "✗"} Answered after ${seconds} s, ${over === channel ? `over ${channel}` : `not over ${channel}: that way is not proved`}. Its card says: ${text ?? ""}`,
    ];
  return [
    "",
    `✗ It is not proved that this answer came through AtlasBridge. ${text === null ? "The hub knows nothing of the question." : `Its card says: ${text}`}`,
  ];
}

function describeTools(tools: SetupResult["tools"]): string[] {
  const name = getOwnName();
  if (tools.length === 0)
    return [
      "Next: put the name of your AI CLI into this command, and leave the desk.",
      "",
      `  ${name} run --ask NAME`,
      "",
      `None with an adapter is installed here yet (see \`${name} adapter list\`). Other programs work, too.`,
    ];
  const silent = tools.filter(({ needsAsk }) => needsAsk).map((tool) => tool.name);
  return [
    "Next: start your tool like this, and leave the desk.",
    "",
    ...tools.map((tool) => `  ${name} run ${tool.needsAsk ? "--ask " : ""}${tool.name}`),
    ...(silent.length === 0
      ? []
      : [
          "",
          `--ask matters: in the mode that ${joinNames(silent)} ${silent.length === 1 ? "starts" : "start"} in by default, almost nothing is asked, and your phone stays silent.`,
        ]),
  ];
}
