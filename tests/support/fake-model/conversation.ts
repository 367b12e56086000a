/** A conversation as a tool sends it, in the form of the Anthropic Messages API. */

export interface ToolResult {
  readonly toolUseId: string;
  readonly isError: boolean;
  readonly text: string;
}

/** A block of a request; only the fields that scenarios look at. */
export interface RequestBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly RequestBlock[];
}

export interface RequestMessage {
  readonly role: string;
  readonly content: string | readonly RequestBlock[];
}

export interface MessagesRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly messages: readonly RequestMessage[];
  readonly tools?: readonly { readonly name: string }[];
}

/** All text of a message; tool results are not text. */
export function readText(content: RequestMessage["content"]): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? "").join("\n");
}

export function listToolResults(message: RequestMessage): ToolResult[] {
  if (typeof message.content === "string") return [];
  return message.content
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      toolUseId: block.tool_use_id ?? "",
      isError: block.is_error ?? false,
      text: readText(block.content ?? ""),
    }));
}
