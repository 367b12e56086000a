/** No terminal output is kept with a prompt, and a second button may approve what is hidden: once, for one nonce. */
export const NOTHING_RAW = `
ALTER TABLE prompts DROP COLUMN raw_bytes;
ALTER TABLE tokens ADD COLUMN accepts_hidden TEXT;
`;
