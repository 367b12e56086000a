/** Sends OTLP in JSON over HTTP. */
import { AtlasBridgeError } from "../model/errors.js";
import { parseJson, toObject } from "../model/data/json.js";
import { systemClock } from "../observe/clock.js";
import { HttpClient, type HttpReply } from "../sdk/http.js";
import { describeConnectionFailure } from "../sdk/service/connection-failure.js";

/** OpenTelemetry's standard: `name=value`, separated by commas, percent-encoded. */
export const HEADERS_VARIABLE = "OTEL_EXPORTER_OTLP_HEADERS";
/** The standard path of a collector. */
const TRACES_PATH = "/v1/traces";
const ANSWER_BYTES_MAX = 64 * 1024;
const SEND_MS_MAX = 30_000;

/** Errors: ATB_USAGE. */
export function parseEndpoint(address: string, headers = ""): TraceTarget {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username + url.password !== "")
    throw new AtlasBridgeError("ATB_USAGE", "--endpoint is no http or https address without a password", {
      hint: `Give one such as http://localhost:4318. A token goes into the variable ${HEADERS_VARIABLE}.`,
    });
  if (url.pathname === "/") url.pathname = TRACES_PATH;
  return { url, headers: parseHeaders(headers) };
}

export interface TraceTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (name === "") throw createHeaderError();
      return [name.toLowerCase(), decodeValue(value)];
    }),
  );
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw createHeaderError();
  }
}

function createHeaderError(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", `${HEADERS_VARIABLE} is no list of name=value`, {
    hint: "Separate them by commas; a comma in a value is %2C.",
  });
}

/** Sends one request for each message. Repeating it does no harm. Errors: ATB_EXPORT_FAILED, with the number accepted before. */
export async function sendTraces({ url, headers }: TraceTarget, messages: readonly string[]): Promise<void> {
  const client = new HttpClient(systemClock);
  for (const [sent, body] of messages.entries()) {
    const stop = AbortSignal.timeout(SEND_MS_MAX);
    const call = { url, body, stop, bodyBytesMax: ANSWER_BYTES_MAX };
    const type = { "content-type": "application/json", accept: "application/json" };
    const problem = await client
      .post({ ...call, headers: { ...headers, ...type } })
      .then(findProblem, (error: unknown) => describeConnectionFailure(error).reason);
    if (problem === null) continue;
    throw new AtlasBridgeError(
      "ATB_EXPORT_FAILED",
      `${url.origin}${url.pathname}: ${problem}; ${sent} of ${messages.length} sessions were accepted`,
      { hint: "Run it again once the endpoint works: spans have the same ids in every export." },
    );
  }
}

function findProblem({ status, body }: HttpReply): string | null {
  if (status !== 200) return `the endpoint answered ${status}`;
  const rejected = countRejected(body.toString());
  return rejected === 0 ? null : `the endpoint rejected ${rejected} spans`;
}

/** Collectors report rejected spans in `partialSuccess`, with numbers as strings. */
function countRejected(body: string): number {
  const { partialSuccess } = toObject(parseJson(body));
  return Number(toObject(partialSuccess)["rejectedSpans"] ?? 0);
}
