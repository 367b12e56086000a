/** A file into a thread: an address from the service, the bytes there, then the sharing. */
import * as v from "valibot";
import type { SlackApi } from "./api.js";
import type { SlackCardFile } from "../cards/card.js";
import { hollowReply } from "./failure.js";
import { escapeForSlack } from "../cards/rich.js";

const target = v.object({ upload_url: v.string(), file_id: v.string() });

/** Errors: CallError. Only the last step shows anything to anybody. */
export async function uploadFile(
  api: SlackApi,
  file: SlackCardFile,
  place: { readonly channel: string; readonly thread: string | null },
): Promise<void> {
  // A file of no bytes is refused; there is always something to say that did not fit.
  const bytes =
    typeof file.text === "string"
      ? Buffer.from(escapeForSlack(file.text) || " ", "utf8")
      : Buffer.from(file.text);
  const given = { filename: file.name, length: bytes.length };
  const parsed = v.safeParse(target, await api.call("files.getUploadURLExternal", given));
  if (!parsed.success) throw hollowReply("files.getUploadURLExternal");
  await api.upload(parsed.output.upload_url, bytes);
  await api.call("files.completeUploadExternal", {
    files: [{ id: parsed.output.file_id, title: file.name }],
    channel_id: place.channel,
    ...(place.thread === null ? {} : { thread_ts: place.thread }),
  });
}
