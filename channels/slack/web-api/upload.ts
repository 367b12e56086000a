/** Posts a file into a thread: requests an address, uploads the bytes, then shares the file. */
import * as v from "valibot";
import type { SlackApi } from "./api.js";
import type { SlackCardFile } from "../cards/card.js";
import { createInvalidReplyError } from "./failure.js";
import { escapeForSlack } from "../cards/rich.js";

const target = v.object({ upload_url: v.string(), file_id: v.string() });

/** Returns the file's id. `comment`: text of the same message, as markup. Errors: SlackCallError. Only the last step makes anything visible. */
export async function uploadFile(
  api: SlackApi,
  file: SlackCardFile,
  place: { readonly channel: string; readonly thread: string | null; readonly comment?: string },
): Promise<string> {
  // Empty files are refused; there is always some content that did not fit.
  const bytes =
    typeof file.text === "string"
      ? Buffer.from(escapeForSlack(file.text) || " ", "utf8")
      : Buffer.from(file.text);
  const given = { filename: file.name, length: bytes.length };
  const parsed = v.safeParse(target, await api.call("files.getUploadURLExternal", given));
  if (!parsed.success) throw createInvalidReplyError("files.getUploadURLExternal");
  await api.upload(parsed.output.upload_url, bytes);
  await api.call("files.completeUploadExternal", {
    files: [{ id: parsed.output.file_id, title: file.name }],
    channel_id: place.channel,
    ...(place.thread === null ? {} : { thread_ts: place.thread }),
    ...(place.comment === undefined ? {} : { initial_comment: place.comment }),
  });
  return parsed.output.file_id;
}
