/** The three steps of an upload: an address, the bytes, the sharing. */
import { isJson, parseJson, readList, readText, type Json } from "./json.js";
import type { Parameters } from "./methods.js";
import { Refusal } from "./refusal.js";
import type { World } from "./world.js";

export function uploadUrl(world: World, given: Parameters): Json {
  const name = readText(given["filename"]);
  const length = Number(given["length"]);
  if (name === "" || !Number.isSafeInteger(length) || length <= 0) throw new Refusal("invalid_arguments");
  world.rate.spend("files.getUploadURLExternal", "");
  const id = `F${String(world.uploads.size + 1).padStart(8, "0")}`;
  world.uploads.set(id, { name, length, data: null });
  return { upload_url: `${world.origin()}/upload/v1/${id}`, file_id: id };
}

/** The bytes themselves, as they arrive at the address. */
export function takeUpload(world: World, id: string, data: Buffer): void {
  const upload = world.uploads.get(id);
  if (!upload) throw new Refusal("no such upload", { status: 404 });
  if (data.length !== upload.length) throw new Refusal("length does not match", { status: 400 });
  upload.data = data;
}

export function completeUpload(world: World, given: Parameters): Json {
  const { conversations, bot } = world;
  const wanted = readList(parseJson(given["files"])).filter(isJson);
  if (wanted.length === 0) throw new Refusal("invalid_arguments");
  const files = wanted.map(({ id }) => {
    const upload = world.uploads.get(readText(id));
    if (!upload) throw new Refusal("file_not_found");
    if (!upload.data) throw new Refusal("file_update_failed");
    return { id: readText(id), name: upload.name, data: upload.data };
  });
  const channel = readText(given["channel_id"]);
  if (channel !== "") conversations.writable(channel, bot.userId);
  world.rate.spend("files.completeUploadExternal", "");
  for (const file of files) world.files.set(file.id, file);
  // Sharing takes a moment: the reply does not wait for it.
  setImmediate(() => {
    for (const file of channel === "" ? [] : files)
      share(
        world,
        channel,
        { threadTs: readText(given["thread_ts"]) || null, text: readText(given["initial_comment"]) },
        file,
      );
    world.changed();
  });
  return { files: files.map(({ id, name }) => ({ id, title: name })) };
}

function share(
  { conversations, bot }: World,
  channel: string,
  { threadTs, text }: { readonly threadTs: string | null; readonly text: string },
  file: { readonly id: string; readonly name: string; readonly data: Buffer },
): void {
  conversations.add({
    channel,
    user: bot.userId,
    text,
    blocks: [],
    threadTs,
    broadcast: false,
    file,
    mentions: [],
  });
}
