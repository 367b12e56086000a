/** Reads tasks from a pipe: each line is one, and the next begins when the previous one is done. */

export interface LineTasksOptions {
  readonly onTask: (text: string) => void;
  /** Called when all are done, and no more will come. */
  readonly onEnd: () => void;
}

export class LineTasks {
  readonly #options: LineTasksOptions;
  readonly #decoder = new TextDecoder();
  readonly #waiting: string[] = [];
  #rest = "";
  #isFree = false;
  #isEnded = false;

  constructor(options: LineTasksOptions) {
    this.#options = options;
  }

  take(bytes: Uint8Array): void {
    const lines = `${this.#rest}${this.#decoder.decode(bytes, { stream: true })}`.split("\n");
    this.#rest = lines.pop() ?? "";
    this.#add(lines);
  }

  /** Call at the end of the input: a last line without a line end is a task, too. */
  end(): void {
    this.#isEnded = true;
    this.#add([this.#rest]);
  }

  /** Call when the tool is free for the next task. */
  startNext(): void {
    this.#isFree = true;
    this.#startIfFree();
  }

  #add(lines: readonly string[]): void {
    this.#waiting.push(...lines.map((line) => line.trim()).filter((line) => line !== ""));
    this.#startIfFree();
  }

  #startIfFree(): void {
    if (!this.#isFree) return;
    const task = this.#waiting.shift();
    if (task === undefined) {
      if (this.#isEnded) this.#options.onEnd();
      return;
    }
    this.#isFree = false;
    this.#options.onTask(task);
  }
}
