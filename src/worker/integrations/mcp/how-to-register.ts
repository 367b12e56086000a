export const HOW_TO_REGISTER = "For claude: claude mcp add atlasbridge -- atlasbridge mcp";
