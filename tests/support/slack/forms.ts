/** A form as a client fills it in: it lets nobody send what an input does not take. */
import { at, isJson, readList, readText, type Json } from "./json.js";

export interface Filling {
  /** For the text input. */
  readonly text?: string;
  /** Texts of the options that are chosen. */
  readonly options?: readonly string[];
}

/** `state.values` of the submission. */
export function fill(view: Json, filling: Filling): Json {
  const inputs = readList(view["blocks"])
    .filter(isJson)
    .filter(({ type }) => type === "input");
  return Object.fromEntries(
    inputs.map((input, index) => {
      const element = input["element"] as Json;
      const id = readText(input["block_id"]) || `i${index}x`;
      const value = valueOf(element, filling, input["optional"] === true);
      return [id, { [readText(element["action_id"])]: value }];
    }),
  );
}

function valueOf(element: Json, filling: Filling, optional: boolean): Json {
  const type = readText(element["type"]);
  if (type === "plain_text_input") return { type, value: textValue(element, filling.text ?? "", optional) };
  const options = readList(element["options"]).filter(isJson);
  const chosen = options.filter((option) =>
    (filling.options ?? []).includes(readText(at(option, "text", "text"))),
  );
  if (chosen.length === 0 && !optional && element["initial_option"] === undefined)
    throw new Error("the client wants an option");
  if (type === "checkboxes" || type === "multi_static_select") return { type, selected_options: chosen };
  return { type, selected_option: chosen[0] ?? element["initial_option"] };
}

function textValue(element: Json, text: string, optional: boolean): string | null {
  if (text === "" && !optional) throw new Error("the client wants a text");
  if (text.length > Number(element["max_length"] ?? 3000)) throw new Error("the client takes no longer text");
  if (text.includes("\n") && element["multiline"] !== true) throw new Error("the client takes one line");
  return text === "" ? null : text;
}
