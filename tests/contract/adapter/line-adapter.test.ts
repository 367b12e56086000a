/** The adapter contract holds for the example that users of the package can copy. */
import { openBench } from "../../../docs/how-to/examples/line-tool/bench.js";
import { adapterChecks } from "../../../src/compat/testing/adapter-kit.js";
import { registerChecks } from "../../support/register-checks.js";

registerChecks(
  "the example adapter",
  adapterChecks(() => openBench()),
);
