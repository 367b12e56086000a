/** The program between `run --isolate` and its tool: closes our files to itself irrevocably, then becomes the tool. */
import { replaceProcess } from "../../worker/process/become.js";
import { restoreEnvironment, type IsolatedStart } from "../../worker/process/isolation.js";
import { closePaths } from "../../worker/process/landlock.js";

const CANNOT_START = 126;

const [spec = "", ...argv] = process.argv.slice(2);
try {
  const { file, closed, readable } = JSON.parse(spec) as IsolatedStart;
  closePaths({ closed, readable });
  const errno = replaceProcess(file, argv, restoreEnvironment(process.env));
  throw new Error(`${file} could not be started (error ${errno})`);
} catch (error) {
  process.stderr.write(
    `atlasbridge: the tool was not started: ${error instanceof Error ? error.message : ""}\n`,
  );
  process.exitCode = CANNOT_START;
}
