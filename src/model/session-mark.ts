/** The one variable of ours that a tool and all that it starts see. It is no secret: it only says "this process is supervised". */
export const SESSION_MARK = "ATLASBRIDGE_SESSION";
