import { readFile, writeFile } from 'node:fs/promises';
import { runSuite, suite } from '#test/conformance/suite.ts';
import { summaryOf, withSummary } from '#test/conformance/table.ts';

/* Runs the conformance suite and writes what came of it into docs/conformance.md, between its marks. */
if (suite.reason !== null) throw new Error(suite.reason);
const reports = await runSuite();
const summary = summaryOf(reports);
const document = 'docs/conformance.md';
await writeFile(document, withSummary(await readFile(document, 'utf8'), summary));
process.stdout.write(`${summary}\n`);
const isFailing = reports.some(({ scenarios }) => scenarios.some(({ isRequired, failed }) => isRequired && failed > 0));
process.exit(isFailing ? 1 : 0);
