/** What one look costs, picture and rules, by what changed since the one before: on a common screen and on a huge one. */
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { detect } from "../../src/worker/detection/detect.js";
import { Screen, type ScreenSize } from "../../src/worker/screen/screen.js";
import { quantile, short, type Report } from "../figures.js";

const SIZES: readonly ScreenSize[] = [
  { cols: 120, rows: 40 },
  { cols: 1000, rows: 300 },
];
/** The one for any program and one for an agent: they look for different things. */
const TOOLS = ["generic", "claude"] as const;
const ROUNDS = 30;
const WARM_UP = 20;

const CSI = "\u001b[";
const WORDS = "words of a long line of a log (y/n) ❯ 1. Yes and so on, ".repeat(20);

/** Coloured rows, full to the edge; another text for another `round`. */
function drawRow(row: number, round: number, cols: number): string {
  const text = `${row} ${round} ${WORDS}`.slice(0, cols - 20);
  return `${CSI}3${row % 8}m${text.slice(0, 20)}${CSI}m${text.slice(20)}`;
}

function drawPicture(round: number, { cols, rows }: ScreenSize): string {
  return Array.from({ length: rows }, (_, row) => `${CSI}${row + 1}H${drawRow(row, round, cols)}`).join("");
}

const CHANGES: Readonly<Record<string, (round: number, size: ScreenSize) => string>> = {
  "a spinner turned": (round) => `${CSI}5;3H${"|/-\\"[round % 4]}`,
  "a line was added at the bottom": (round, { cols, rows }) =>
    `${CSI}${rows}H\r\n${drawRow(rows, round, cols)}`,
  "all of it was drawn again": (_, size) => drawPicture(0, size),
  "every row is another one": (round, size) => drawPicture(round + 1, size),
};

export async function costByChange(): Promise<Report> {
  const load = createAdapterLoader({ adaptersDir: "" });
  const rows: string[][] = [];
  for (const size of SIZES)
    for (const [name, change] of Object.entries(CHANGES)) {
      const medians: string[] = [];
      for (const tool of TOOLS) {
        const adapter = await load(tool);
        const screen = new Screen(size);
        const times: number[] = [];
        const write = async (text: string): Promise<void> => {
          screen.write(Buffer.from(text));
          await screen.flushed();
        };
        await write(drawPicture(0, size));
        for (let round = 0; round < WARM_UP + ROUNDS; round++) {
          await write(change(round, size));
          const started = performance.now();
          detect(adapter, screen.view(), {});
          if (round >= WARM_UP) times.push(performance.now() - started);
        }
        screen.dispose();
        medians.push(short(quantile(times, 0.5)));
      }
      rows.push([`${size.cols}×${size.rows}`, name, ...medians]);
    }
  return {
    title: "What one look costs, by what changed",
    text: "Picture and rules together, median in ms of this machine. Every row is full of text.",
    columns: ["screen", "since the last look", ...TOOLS],
    rows,
  };
}
