import { spawn } from "node:child_process";

/** Each loop ends by itself when the process that started it is gone: a signal may end that one before it ends its loops. */
const LOOP = "while (process.ppid === Number(process.argv[1])) for (let n = 0; n < 1e7; n += 1);";

export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", LOOP, String(process.pid)], { stdio: "ignore" }),
  );
  return () => loops.forEach((loop) => loop.kill("SIGKILL"));
}
