/** Draws a suite's tables: a bar for each row's first figure, in proportion to the largest of its table. */
import type { Report } from "./figures.js";

const LABELS_WIDTH = 190;
const BARS_WIDTH = 420;
const VALUES_WIDTH = 70;
const ROW_HEIGHT = 20;
const TITLE_HEIGHT = 34;
const WIDTH = LABELS_WIDTH + BARS_WIDTH + VALUES_WIDTH;
/** What is measured stands out from its peers. */
const OUR_COLOUR = "#06c";
const PEER_COLOUR = "#aab4c0";

export function drawReports(reports: readonly Report[]): string {
  let height = 0;
  const groups = reports.map((report) => {
    const group = `<g transform="translate(0 ${height})">${drawReport(report)}</g>`;
    height += TITLE_HEIGHT + report.rows.length * ROW_HEIGHT + 14;
    return group;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${groups.join("\n")}
</svg>
`;
}

function drawReport({ title, columns, rows }: Report): string {
  const values = rows.map((row) => Number(row[1]));
  const widest = Math.max(...values.filter(Number.isFinite));
  const bars = rows.map((row, index) => {
    const value = values[index] ?? NaN;
    const width = Number.isFinite(value) && widest > 0 ? (Math.max(0, value) / widest) * BARS_WIDTH : 0;
    const y = TITLE_HEIGHT + index * ROW_HEIGHT;
    const name = row[0] ?? "";
    const colour = name.startsWith("atlasbridge") ? OUR_COLOUR : PEER_COLOUR;
    return (
      `<text x="${LABELS_WIDTH - 8}" y="${y + 14}" text-anchor="end">${escapeXml(name)}</text>` +
      `<rect x="${LABELS_WIDTH}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 6}" fill="${colour}"/>` +
      `<text x="${(LABELS_WIDTH + width + 6).toFixed(1)}" y="${y + 14}" fill="#444">${escapeXml(row[1] ?? "")}</text>`
    );
  });
  const heading = `${title}: ${columns[1] ?? ""}`;
  return `<text x="8" y="20" font-weight="bold">${escapeXml(heading)}</text>${bars.join("")}`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
