/** Sends spans to an OpenTelemetry endpoint: OTLP over HTTP, in JSON. */
import { AtlasBridgeError } from "../model/errors.js";
import { isObject } from "../model/data/json.js";
import { systemClock } from "../observe/clock.js";
import { HttpClient, type HttpReply } from "../sdk/http.js";
import { describeConnectionFailure } from "../sdk/service/connection-failure.js";

/** Standard variable of OpenTelemetry: `name=value`, separated by commas, percent-encoded. */
export const HEADERS_VARIABLE = "OTEL_EXPORTER_OTLP_HEADERS";
/** Where a collector takes traces, if the address names no path. */
const TRACES_PATH = "/v1/traces";
/** A collector answers with an object of a few fields. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Connection, upload and answer of one session's spans. */
const SEND_MS_MAX = 30_000;

/** Where spans are sent to, with what the user wants to be sent beside them. Errors: ATB_USAGE. */
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

/**
 * One request for each of `messages` (`TracesData` in JSON), in order. Ids are the same in every export, so a repeated one does no
 * harm. Errors: ATB_EXPORT_FAILED, with how many were accepted before.
 */
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

/** The endpoint's own words are not shown. */
function findProblem({ status, body }: HttpReply): string | null {
  if (status !== 200) return `the endpoint answered ${status}`;
  const rejected = countRejected(body.toString());
  return rejected === 0 ? null : `the endpoint rejected ${rejected} spans`;
}

/** Reads `partialSuccess`, by which a collector says that it did not take everything; 64-bit numbers are strings there. */
function countRejected(body: string): number {
  try {
    const answer: unknown = JSON.parse(body);
    const partial = isObject(answer) ? answer["partialSuccess"] : undefined;
    return isObject(partial) ? Number(partial["rejectedSpans"] ?? 0) : 0;
  } catch {
    return 0; // An empty body is an acceptance, too.
  }
}
