/** What a tool said before it became idle. */
export const LAST_WORDS = `
ALTER TABLE sessions ADD COLUMN said TEXT;
`;
