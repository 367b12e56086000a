import type { Reporter, TestCase, TestModule } from "vitest/node";

/** With the lines of `.ci/run` around them, all failures fit on thirty lines. */
const FAILURES_MAX = 8;
const MESSAGE_MAX = 300;

/** Ends a run that failed with a line for each failure: the test, its message and the command that repeats it alone. */
export class FailureSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    const lines = [
      ...modules.flatMap(listFailures),
      ...errors.map(({ message }) => `unhandled: ${cut(message)}`),
    ];
    if (lines.length === 0) return;
    const more = lines.length > FAILURES_MAX ? [`and ${lines.length - FAILURES_MAX} more`] : [];
    console.log(["", "Failed:", ...lines.slice(0, FAILURES_MAX), ...more].join("\n"));
  }
}

function listFailures(module: TestModule): string[] {
  const command = `npx vitest run --project ${module.project.name} ${module.relativeModuleId}`;
  const tests = [...module.children.allTests("failed")].map(
    (test) => `${test.fullName}: ${cut(messageOf(test))}\n  ${command} -t ${quote(test.name)}`,
  );
  return [...tests, ...module.errors().map(({ message }) => `${cut(message)}\n  ${command}`)];
}

function messageOf(test: TestCase): string {
  return test.result().errors?.[0]?.message ?? "it gave no message";
}

function cut(message: string): string {
  const [line = ""] = message.split("\n");
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX)}…` : line;
}

/** As one word of a POSIX shell. `-t` takes a pattern, so its signs are escaped. */
function quote(name: string): string {
  return `'${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", "'\\''")}'`;
}
