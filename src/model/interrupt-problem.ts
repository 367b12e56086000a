/** Why a tool cannot be interrupted now, in the words that follow "was not stopped: ". The same for every runtime; the hub knows `idle`. */
export const INTERRUPT_PROBLEM = {
  asking: "it asks a question: answer that",
  idle: "it is idle; nothing to stop",
  notWorking: "it is not working, so there is nothing to interrupt",
} as const;
