/** The shipped files of the programs that nearly every machine has: their probes and contract tests pass. */
import { describeContracts, GATE_PROGRAMS } from "../../../../support/program/contract-tests.js";

describeContracts(GATE_PROGRAMS);
