/** Tasks from a pipe: each line is one, and the next begins when the one before is done. */

export interface LineTasksOptions {
  readonly onTask: (text: string) => void;
  /** All are done, and no more will come. */
  readonly onEnd: () => void;
}

export class LineTasks {
  readonly #options: LineTasksOptions;
  readonly #decoder = new TextDecoder();
  readonly #waiting: string[] = [];
  #rest = "";
  #isFree = false;
  #over = false;

  constructor(options: LineTasksOptions) {
    this.#options = options;
  }

  take(bytes: Uint8Array): void {
    const lines = `${this.#rest}${this.#decoder.decode(bytes, { stream: true })}`.split("\n");
    this.#rest = lines.pop() ?? "";
    this.#add(lines);
  }

  /** No more input: what stands without a line end is a task, too. */
  end(): void {
    this.#over = true;
    this.#add([this.#rest]);
  }

  /** The tool is free for the next one. */
  next(): void {
    this.#isFree = true;
    this.#go();
  }

  #add(lines: readonly string[]): void {
    this.#waiting.push(...lines.map((line) => line.trim()).filter((line) => line !== ""));
    this.#go();
  }

  #go(): void {
    if (!this.#isFree) return;
    const task = this.#waiting.shift();
    if (task === undefined) {
      if (this.#over) this.#options.onEnd();
      return;
    }
    this.#isFree = false;
    this.#options.onTask(task);
  }
}
