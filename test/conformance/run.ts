import { writeFile } from 'node:fs/promises';
import { type RevisionReport, revisions, runRevision, suitePackage, tableOf } from '#test/conformance/suite.ts';

/* Runs the conformance suite over both revisions and writes what came of it to test/conformance/RESULTS.md. */
const reports: RevisionReport[] = [];
for (const revision of revisions) reports.push(await runRevision(revision));
const table = tableOf(reports);
const text = `# Conformance

Made by \`node bootstrap/node24.mjs test/conformance/run.ts\` with ${suitePackage}, over the real HTTP edge with authentication.

<!-- conformance -->
${table}
<!-- /conformance -->
`;
await writeFile(new URL('RESULTS.md', import.meta.url), text);
process.stdout.write(`${table}\n`);
const isFailing = reports.some(({ scenarios }) => scenarios.some(({ isRequired, failed }) => isRequired && failed > 0));
process.exit(isFailing ? 1 : 0);
