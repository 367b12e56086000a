/** Questions that the models of several tools ask, and what a person reads of them. */
import type { Label } from "../situation.js";

export interface Question {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

function question(
  header: string,
  text: string,
  ...options: readonly (readonly [label: string, description: string])[]
): Question {
  return {
    header,
    question: text,
    options: options.map(([label, description]) => ({ label, description })),
  };
}

export const database = question(
  "Database",
  "Which database should we use?",
  ["PostgreSQL", "Relational, robust"],
  ["SQLite", "Embedded, zero config"],
  ["MongoDB", "A document store that scales out, with more to run and to watch over"],
);
export const region = question(
  "Region",
  "Which region should we deploy to?",
  ["EU", "Frankfurt"],
  ["US", "Oregon"],
);
export const features = question(
  "Features",
  "Which features do you want to enable?",
  ["Auth", "Login and sessions"],
  ["Billing", "Invoices"],
  ["Search", "Full text"],
);

/** Its answers and the rows that the tool adds; long descriptions may be cut, the first two are not. */
export function makeChoice({ question: excerpt, options }: Question, ...more: readonly string[]): Label {
  return {
    type: "multiple_choice",
    excerpt,
    choices: [...options.map(({ label }) => label), ...more],
    byDefault: 1,
    content: options.slice(0, 2).map(({ description }) => description),
    count: 1,
  };
}
