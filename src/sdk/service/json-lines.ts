/** Reads a stream of JSON lines from a service that may be broken or hostile. */
import { HttpError } from "../http.js";

/** The value of each line, null where it is no JSON. Errors: HttpError for a line of more than `charactersMax`; those of the stream. */
export async function* readJsonLines(body: AsyncIterable<Uint8Array>, charactersMax: number): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > charactersMax) throw new HttpError(`a line is longer than ${charactersMax} characters`);
    yield* lines.map(parseJson);
  }
}

/** Null where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
