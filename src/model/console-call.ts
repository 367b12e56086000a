/**
 * What hub, worker and client must agree on about consoles: how an agent's wish to type is shown to people and compared with what they
 * allowed, and how much of a command's output is kept.
 */

import type { Choice, Constraints, PromptContent, PromptType, SafetyClass } from "./prompt.js";

/** A command that never stops must not fill the disk: each file of its output ends here. */
export const OUTPUT_FILE_BYTES_MAX = 64 * 1024 * 1024;

export const CONSOLE_TOOLS = { run: "run_command", input: "send_input", start: "start_session" } as const;

/** What an agent wishes to type into a console. */
export interface Typing {
  readonly tool: typeof CONSOLE_TOOLS.run | typeof CONSOLE_TOOLS.input;
  readonly consoleId: string;
  /** What people call the session of that console. */
  readonly session: string;
  /** The command, or the line. */
  readonly text: string;
}

/** All that people see of such a wish, and all that an answer to it can mean. */
export interface TypingPrompt {
  readonly promptType: PromptType;
  readonly safetyClass: SafetyClass;
  readonly question: string;
  readonly choices: readonly [Choice, Choice];
  readonly constraints: Constraints;
  readonly content: Required<Pick<PromptContent, "text" | "call">> & { readonly cut: null };
}

/**
 * The agent's process raises this prompt, and the hub builds it again from the text that it will type. No key is typed unless
 * both are the same, so every part of the prompt must follow from the request alone.
 */
export function buildTypingPrompt({ tool, consoleId, session: named, text }: Typing): TypingPrompt {
  // A name with a line break could pass for the lines below it.
  const session = named.replace(/\s+/g, " ");
  return {
    promptType: "multiple_choice",
    safetyClass: "permission",
    question: `Allow ${tool}?`,
    choices: [
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once", takesText: "optional" },
    ],
    constraints: { minChoice: 1, maxChoice: 2 },
    content: {
      // The command comes last, so that its text cannot look like the name of another session.
      text: `session: ${session}\nconsole: ${consoleId}\ncommand:${text.includes("\n") ? "\n" : " "}${text}`,
      cut: null,
      call: { tool, input: { session, console: consoleId, command: text } },
    },
  };
}

/** The choice of `buildTypingPrompt` that allows it. */
export const TYPING_ALLOWED = "1";

/** Whether the prompt says that it is about typing into a console. Agents have tools of these names of their own, which name none. */
export function isAboutTyping({ content: { call } }: { readonly content: PromptContent }): boolean {
  const isNamed = call?.tool === CONSOLE_TOOLS.run || call?.tool === CONSOLE_TOOLS.input;
  return isNamed && typeof call.input === "object" && call.input !== null && "console" in call.input;
}
