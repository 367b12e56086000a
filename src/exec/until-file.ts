/** Tells a tool of the file by which `exec --until-file` knows that its task is done (the ACP plan, step 5). Pure. */

/** `file`: as typed, relative to the folder in which the tool works. A task that says it already is not changed. */
export function tellUntilFile(task: string, file: string | null): string {
  if (file === null) return task;
  const sentence = `When all of this is done, create the file ${file}, and not before.`;
  return task.includes(sentence) ? task : `${task.trimEnd()}\n\n${sentence}`;
}
