/**
 * What a reader of a page does, from its code blocks: `sh` is typed, `text` directly behind it is what is then shown, and a block of any
 * other language is written into the file that the text before it names last. Blocks without a language are only looked at.
 */

export interface Typed {
  readonly kind: "typed";
  readonly commands: string;
  /** What the page shows as output, or null where it shows none. */
  readonly shown: string | null;
}

export interface Written {
  readonly kind: "written";
  readonly file: string;
  readonly content: string;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
const FILE = /`([\w~./-]+)`/g;

export function readSteps(page: string): readonly (Typed | Written)[] {
  const steps: (Typed | Written)[] = [];
  let end = 0;
  for (const block of page.matchAll(BLOCK)) {
    const [whole, language, content = ""] = block;
    const before = page.slice(end, block.index);
    const last = steps.at(-1);
    end = block.index + whole.length;
    if (language === "sh") steps.push({ kind: "typed", commands: content, shown: null });
    else if (language === "text") {
      if (last?.kind !== "typed" || last.shown !== null)
        throw new Error(`no command is shown for this output:\n${content}`);
      steps[steps.length - 1] = { ...last, shown: content };
    } else {
      const file = [...before.matchAll(FILE)].at(-1)?.[1];
      if (file === undefined) throw new Error(`no file is named for this content:\n${content}`);
      steps.push({ kind: "written", file, content });
    }
  }
  return steps;
}

/** An ellipsis on the page is any text, also of several lines. Blanks at the ends of lines do not count. */
export function isAsShown(shown: string, printed: string): boolean {
  const parts = trimLines(shown)
    .split("…")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(trimLines(printed));
}

function trimLines(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}
