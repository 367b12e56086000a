/** Draws what a soak sampled: a small chart a figure, from zero, with the faults as vertical lines. */
import type { Figure, Sample } from "./samples.js";

const TITLES: Readonly<Record<Figure, string>> = {
  hubMegabytes: "hub: resident memory, MB",
  workerMegabytes: "workers: resident memory, MB (median)",
  hubDescriptors: "hub: open descriptors",
  workerDescriptors: "workers: open descriptors (median)",
  hubThreads: "hub: threads",
  workerThreads: "workers: threads (median)",
  ledgerKilobytes: "ledger: KB on disk",
  prompts: "prompts in the ledger",
};
const CHART = { width: 380, height: 130 };
const GAP = 30;
const COLUMNS = 2;

/** `faults`: when something was killed or stopped, in seconds. */
export function drawSamples(samples: readonly Sample[], faults: readonly number[], subtitle: string): string {
  const end = samples.at(-1)?.at ?? 1;
  const charts = (Object.keys(TITLES) as Figure[]).map((figure, index) => {
    const x = GAP + (index % COLUMNS) * (CHART.width + GAP);
    const y = 50 + Math.floor(index / COLUMNS) * (CHART.height + 2 * GAP);
    return `<g transform="translate(${x} ${y})">${drawChart(samples, faults, figure, end)}</g>`;
  });
  const width = GAP + COLUMNS * (CHART.width + GAP);
  const height = 50 + Math.ceil(charts.length / COLUMNS) * (CHART.height + 2 * GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${GAP}" y="24">${subtitle}</text>
${charts.join("\n")}
</svg>
`;
}

function drawChart(
  samples: readonly Sample[],
  faults: readonly number[],
  figure: Figure,
  end: number,
): string {
  const top = Math.max(1, ...samples.map((sample) => sample[figure]).filter(Number.isFinite));
  const x = (at: number): string => ((at / end) * CHART.width).toFixed(1);
  const y = (value: number): string => (CHART.height - (value / top) * CHART.height).toFixed(1);
  const points = samples
    .filter((sample) => Number.isFinite(sample[figure]))
    .map((sample) => `${x(sample.at)},${y(sample[figure])}`);
  const lines = faults.map((at) => `<path d="M${x(at)} 0V${CHART.height}" stroke="#ddd"/>`);
  return `${lines.join("")}<path d="M0 0V${CHART.height}H${CHART.width}" fill="none" stroke="#888"/><polyline points="${points.join(" ")}" fill="none" stroke="#06c" stroke-width="1.5"/><text y="-6">${TITLES[figure]}</text><text x="4" y="12" fill="#666">${top.toFixed(0)}</text><text x="${CHART.width}" y="${CHART.height + 14}" text-anchor="end" fill="#666">${(end / 60).toFixed(1)} min</text>`;
}
