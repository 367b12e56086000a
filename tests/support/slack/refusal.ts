/** A refusal of the Web API: HTTP 200 with `ok: false` and a word for it, as the real service has them; 429 and 5xx by status. */
export class Refusal extends Error {
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: string,
    more: {
      readonly body?: Readonly<Record<string, unknown>>;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(error);
    this.body = { ok: false, error, ...more.body };
    this.status = more.status ?? 200;
    this.headers = more.headers ?? {};
  }
}

export function tooMany(seconds: number): Refusal {
  return new Refusal("ratelimited", { status: 429, headers: { "retry-after": String(seconds) } });
}

/** What is wrong with a block, and where, as the service points at it. */
export function invalid(error: string, problem: string, pointer: string): Refusal {
  const message = `${problem} [json-pointer:${pointer}]`;
  return new Refusal(error, {
    body: { errors: [message], response_metadata: { messages: [`[ERROR] ${message}`] } },
  });
}
