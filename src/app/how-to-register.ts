/** The hint about registering MCP servers, shared by commands. */
export { HOW_TO_REGISTER } from "../worker/integrations/mcp/how-to-register.js";
