/** Small rules that refuse what does not fit, and point at it. */
import { isJson, readList, type Json } from "./json.js";
import { invalid } from "./refusal.js";

/** One place in a payload: its value, where it stands, and the word with which the service refuses it. */
export class Spot {
  readonly value: unknown;
  readonly pointer: string;
  readonly error: string;

  constructor(value: unknown, pointer: string, error: string) {
    this.value = value;
    this.pointer = pointer;
    this.error = error;
  }

  fail(problem: string): never {
    throw invalid(this.error, problem, this.pointer);
  }

  get json(): Json {
    return isJson(this.value) ? this.value : this.fail("must be an object");
  }

  get type(): string {
    const { type } = this.json;
    return typeof type === "string" ? type : this.fail("missing required field: type");
  }

  in(key: string): Spot {
    return new Spot(this.json[key], `${this.pointer}/${key}`, this.error);
  }

  has(key: string): boolean {
    return this.json[key] !== undefined;
  }

  /** Refuses members that the service does not know. */
  only(...keys: readonly string[]): void {
    const stranger = Object.keys(this.json).find((key) => !keys.includes(key));
    if (stranger !== undefined) this.fail(`additional property not allowed: ${stranger}`);
  }

  /** The items of a list of `min` to `max`. */
  items(min: number, max: number): Spot[] {
    if (!Array.isArray(this.value)) this.fail("must be an array");
    const items = readList(this.value);
    if (items.length < min) this.fail(`no fewer than ${min} items required`);
    if (items.length > max) this.fail(`no more than ${max} items allowed`);
    return items.map((item, index) => new Spot(item, `${this.pointer}/${index}`, this.error));
  }

  /** A string of 1 to `max` characters. */
  string(max: number, min = 1): string {
    const { value } = this;
    if (typeof value !== "string") return this.fail("must be a string");
    if (value.length < min) this.fail(`must be more than ${min - 1} characters`);
    if (value.length > max) this.fail(`must be less than ${max + 1} characters`);
    // Half characters and NUL do not survive the way to the service's own store.
    if (/\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value))
      this.fail("invalid characters");
    return value;
  }

  integer(): number {
    return Number.isSafeInteger(this.value) ? Number(this.value) : this.fail("must be an integer");
  }

  requireOneOf(...allowed: readonly unknown[]): void {
    if (!allowed.includes(this.value)) this.fail(`must be a valid enum value`);
  }

  boolean(): void {
    if (typeof this.value !== "boolean") this.fail("must be a boolean");
  }

  /** A text object; `kinds` says which of the two kinds may stand here. */
  textObject(max: number, kinds: readonly string[] = ["plain_text"]): void {
    this.only("type", "text", "emoji", "verbatim");
    if (!kinds.includes(this.type)) this.fail(`unsupported type: ${this.type}`);
    if (this.type === "mrkdwn" && this.has("emoji")) this.fail("additional property not allowed: emoji");
    this.in("text").string(max);
  }
}
