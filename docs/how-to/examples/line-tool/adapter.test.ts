/** The adapter keeps the contract. To be run by `node --test` after `tsc`. */
import { test } from "node:test";
import { adapterChecks } from "atlasbridge/sdk/testing";
import { openBench } from "./bench.js";

for (const { name, run } of adapterChecks(() => openBench())) void test(name, run);
