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
