import type { Person } from "../../config/schema.js";

export const ROLES: readonly Person["role"][] = ["approver", "viewer"];
export const ROLE_HELP =
  "pair as approver, who may answer, or as viewer; without it, the terminal asks, or --accept pairs an approver";
