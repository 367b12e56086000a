/** Where recordings and logs are made: nothing of this machine is in their paths. */
export const STAND_IN = { root: "/home/dev", home: "/home/dev", cwd: "/home/dev/proj" } as const;
