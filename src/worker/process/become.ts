/** Turns this process into another program, as `execve(2)` does: same number, terminal, group and open files. */
import { openCLibrary } from "../../observe/system-calls.js";

/** Node ignores these two signals. A program that it starts in the ordinary way gets their defaults. */
const SIGPIPE = 13;
const SIGXFSZ = 25;
/** Node marks every descriptor that it finds as close-on-exec. Only these three come from the process that started us. */
const STANDARD = [0, 1, 2];
const F_SETFD = 2;
const SHELL = "/bin/sh";

/** Returns only on failure, with the error's number. Throws Error where the system has no such call. */
export function replaceProcess(
  file: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): number {
  const libc = openCLibrary();
  if (!libc) throw new Error("this system offers no such call");
  const signal = libc.func("void *signal(int number, void *handler)");
  const execve = libc.func("int execve(const char *file, const char **argv, const char **env)");
  const fcntl = libc.func("int fcntl(int fd, int command, ...)");
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value ?? ""}`);
  for (const number of [SIGPIPE, SIGXFSZ]) signal(number, null);
  for (const fd of STANDARD) fcntl(fd, F_SETFD, "int", 0);
  execve(file, [...argv, null], [...environment, null]);
  // A script without a first line that names its shell is run as every shell does it.
  if (libc.errno() === libc.errorNumbers["ENOEXEC"])
    execve(SHELL, [SHELL, file, ...argv.slice(1), null], [...environment, null]);
  return libc.errno();
}
