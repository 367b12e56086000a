/** For commands: what a person is told about servers that an agent starts. */
export { HOW_TO_REGISTER } from "../worker/integrations/mcp/how-to-register.js";
