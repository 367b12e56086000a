// Output beside which keys are pressed: `flood`, or so many megabytes a second. Never holds the letter that is the key.
const line = "the quick brown fox jumps over the lazy dog and goes on and on and on\r\n";
const block = Buffer.from(line.repeat(Math.ceil(16_384 / line.length)));

if (process.argv[2] === "flood") {
  const flood = () => {
    while (process.stdout.write(block));
    process.stdout.once("drain", flood);
  };
  flood();
} else {
  const everyMs = (block.length / (Number(process.argv[2]) * 1_000_000)) * 1000;
  setInterval(() => process.stdout.write(block), everyMs);
}
