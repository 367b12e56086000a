// Draws the screens that it is told over a socket, and tells which of them each key met.
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [, , path] = process.argv;
const socket = connect(path);
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
let shown = null;

function draw(name, bytes) {
  shown = name;
  // What is told afterwards is told of bytes that are in the terminal.
  process.stdout.write(Buffer.from(bytes, "base64"), () => tell({ drawn: name }));
}

process.stdin.setRawMode(true);
process.stdin.on("data", (chunk) => tell({ keys: chunk.toString(), met: shown }));

createInterface({ input: socket }).on("line", (line) => {
  const { name, bytes, afterMs } = JSON.parse(line);
  if (afterMs === undefined) draw(name, bytes);
  else {
    // Erased, and missing for a while.
    process.stdout.write("\u001b[2J");
    shown = "nothing";
    setTimeout(() => draw(name, bytes), afterMs);
  }
});
socket.on("close", () => process.exit(0));
