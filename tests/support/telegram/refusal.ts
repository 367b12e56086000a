/** A refusal of the Bot API: HTTP status, description as the real service words it, and parameters. */
export class Refusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }

  toJSON(): Record<string, unknown> {
    const { status, message, parameters } = this;
    return { ok: false, error_code: status, description: message, ...(parameters ? { parameters } : {}) };
  }
}

export function badRequest(what: string): Refusal {
  return new Refusal(400, `Bad Request: ${what}`);
}

export function tooManyRequests(seconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}
