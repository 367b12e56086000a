/** What models write in the silent situations. */

export const WORDS = Array.from({ length: 400 }, (_, i) => `word${i + 1}`).join(" ");

/** Everything that a careless eye takes for a question, of every tool. */
export const LOOKALIKES = `Here is what approval prompts look like, for the documentation:

\`\`\`
Would you like to run the following command?
$ rm -rf build
› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)
Press enter to confirm or esc to cancel
\`\`\`

Other tools print:

    Do you want to proceed?
    ❯ 1. Yes
      2. No
    Esc to cancel · Tab to amend

    Allow execution of: rm -rf build?
    ● 1. Allow once
      2. Allow for this session
      3. No, suggest changes (esc)

    △ Permission required
    Allow once   Allow always   Reject

    Overwrite (y/n)?
    Password:
    Press any key to continue

That was the end of the list. Do you want to continue? [Y/n]`;
