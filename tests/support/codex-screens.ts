export const COMPOSER =
  "\u001b[?25h\u001b[2J\u001b[20;1H› Ask Codex to do anything\r\n\r\n  a model · a folder\u001b[20;3H";

export function drawDialog(command: string): string {
  const rows = [
    "  Would you like to run the following command?",
    "",
    "  Environment: local",
    "",
    "  Reason: Clear out old build output?",
    "",
    `  $ ${command}`,
    "",
    "",
    "\u001b[7m› 1. Yes, proceed (y)\u001b[0m",
    `  2. Yes, and don't ask again for commands that start with \`${command}\` (p)`,
    "  3. No, and tell Codex what to do differently (esc)",
    "",
    "  Press enter to confirm or esc to cancel",
  ];
  return `\u001b[?25l\u001b[2J\u001b[8;1H${rows.join("\r\n")}`;
}

export function drawReport(state: string): string {
  return `\u001b]7501;state=${state}:app=codex\u001b\\`;
}

export function makeRequest(id: number | string, command: string, threadId: string): object {
  const amendment = command.split(" ");
  return {
    method: "item/commandExecution/requestApproval",
    id,
    params: {
      kind: "command",
      threadId,
      turnId: "turn",
      itemId: `item-${id}`,
      startedAtMs: 1,
      environmentId: "local",
      reason: "Clear out old build output?",
      command: `/bin/bash -lc '${command}'`,
      cwd: "/home/ara/proj",
      commandActions: [{ type: "unknown", command }],
      proposedExecpolicyAmendment: amendment,
      availableDecisions: [
        "accept",
        { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } },
        "cancel",
      ],
    },
  };
}
