/** The environment variable that marks a supervised tool and everything it starts. It is no secret. */
export const SESSION_MARK = "ATLASBRIDGE_SESSION";
