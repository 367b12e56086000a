/** Checks the brackets of a block before it is typed, because an unbalanced block would leave the program waiting for more. */
import type { BalancedParens } from "../../../adapter-format/program/program-file.js";

const IDENTIFIER = /[\p{L}\p{N}_+*/<>=!?&:$%~^-]/u;

/** Describes the first error and its place; null if the block is balanced. */
export function findImbalance(text: string, syntax: BalancedParens): string | null {
  return new Counter(text, syntax).count();
}

class Counter {
  readonly #text: string;
  readonly #syntax: BalancedParens;
  /** The brackets that are still open. `comments`: the comments that were waiting for their datum at the opening bracket. */
  readonly #open: { readonly close: string; readonly comments: number; readonly at: number }[] = [];
  /** The number of datum comments whose datum has not come yet. */
  #comments = 0;
  #at = 0;

  constructor(text: string, syntax: BalancedParens) {
    this.#text = text;
    this.#syntax = syntax;
  }

  count(): string | null {
    while (this.#at < this.#text.length) {
      const problem = this.#step();
      if (problem !== null) return problem;
    }
    const [missing] = this.#open.slice(-1);
    if (missing)
      return `"${missing.close}" is missing at the end, for the bracket in ${this.#findPlace(missing.at)}`;
    return this.#comments > 0 ? `nothing follows "${this.#syntax.datum_comment_prefix ?? ""}"` : null;
  }

  #step(): string | null {
    const { line_comment: line, block_comment: block, char_literal_prefix: character } = this.#syntax;
    const { datum_comment_prefix: datum, string_delims: delimiters } = this.#syntax;
    if (this.#isAt(datum)) {
      this.#comments += 1;
      this.#at += datum.length;
      return null;
    }
    if (this.#isAt(character)) return this.#readCharacter(character.length);
    if (block && this.#isAt(block[0])) return this.#readBlockComment(block);
    if (this.#isAt(line)) {
      const end = this.#text.indexOf("\n", this.#at);
      this.#at = end < 0 ? this.#text.length : end;
      return null;
    }
    const delimiter = delimiters.find((each) => this.#isAt(each));
    return delimiter === undefined ? this.#readOther() : this.#readString(delimiter);
  }

  #isAt(token: string | undefined): token is string {
    return token !== undefined && this.#text.startsWith(token, this.#at);
  }

  #readCharacter(prefix: number): string | null {
    this.#at += prefix;
    if (this.#at >= this.#text.length) return "a character is missing at the end";
    const first = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    this.#at += first.length;
    if (IDENTIFIER.test(first)) this.#skipIdentifier();
    this.#finishDatum();
    return null;
  }

  /** These comments can be nested. */
  #readBlockComment([open, close]: readonly [string, string]): string | null {
    const start = this.#at;
    let depth = 0;
    do {
      if (this.#isAt(open)) {
        depth += 1;
        this.#at += open.length;
      } else if (this.#isAt(close)) {
        depth -= 1;
        this.#at += close.length;
      } else this.#at += 1;
      if (this.#at >= this.#text.length && depth > 0)
        return `the comment's "${close}" is missing, which begins in ${this.#findPlace(start)}`;
    } while (depth > 0);
    return null;
  }

  #readString(delimiter: string): string | null {
    const { escape } = this.#syntax;
    const start = this.#at;
    this.#at += delimiter.length;
    while (this.#at < this.#text.length) {
      if (this.#isAt(escape)) this.#at += escape.length + 1;
      else if (this.#isAt(delimiter)) {
        this.#at += delimiter.length;
        this.#finishDatum();
        return null;
      } else this.#at += 1;
    }
    return `the text's ${delimiter} is missing, which begins in ${this.#findPlace(start)}`;
  }

  #readOther(): string | null {
    const { open, close } = this.#syntax;
    const opening = open.findIndex((each) => this.#isAt(each));
    if (opening >= 0) {
      this.#open.push({ close: close[opening] ?? "", comments: this.#comments, at: this.#at });
      this.#at += open[opening]?.length ?? 1;
      this.#comments = 0;
      return null;
    }
    const closing = close.find((each) => this.#isAt(each));
    if (closing !== undefined) return this.#close(closing);
    const character = this.#text[this.#at] ?? "";
    if (IDENTIFIER.test(character)) {
      this.#skipIdentifier();
      this.#finishDatum();
    } else this.#at += 1;
    return null;
  }

  #close(found: string): string | null {
    const last = this.#open.pop();
    if (last?.close !== found) {
      const there = `"${found}" in ${this.#findPlace(this.#at)}`;
      return last ? `"${last.close}" is missing before ${there}` : `${there} closes nothing`;
    }
    this.#at += found.length;
    if (this.#comments > 0) return `nothing follows "${this.#syntax.datum_comment_prefix ?? ""}"`;
    this.#comments = last.comments;
    this.#finishDatum();
    return null;
  }

  #findPlace(at: number): string {
    const lines = this.#text.slice(0, at).split("\n");
    return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  }

  #skipIdentifier(): void {
    while (this.#at < this.#text.length && IDENTIFIER.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  /** Call when a datum has ended: the innermost datum comment is then complete. */
  #finishDatum(): void {
    if (this.#comments > 0) this.#comments -= 1;
  }
}
