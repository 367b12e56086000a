import { spawn } from "node:child_process";

/** Starts loops that keep `count` processors busy; the returned function ends them. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  return () => loops.forEach((loop) => loop.kill("SIGKILL"));
}
