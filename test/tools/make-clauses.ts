import { readFileSync, writeFileSync } from 'node:fs';
import { suites } from '#test/support/contracts/suites.ts';
import { clausesSchema, documentOf, listed, statedBy } from '#test/tools/contract-clauses.ts';

// Writes the list of the suites' clauses, test/contracts/clauses.json, and the page docs/contracts.md from the suites themselves.
const path = 'test/contracts/clauses.json';
const release = '0.2.0';
const { clauses } = clausesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
const all = listed(
  clauses,
  suites.flatMap((suite) => statedBy(suite).clauses),
  release,
);
writeFileSync(path, `{\n  "clauses": [\n${all.map((clause) => `    ${JSON.stringify(clause)}`).join(',\n')}\n  ]\n}\n`);
writeFileSync('docs/contracts.md', documentOf(all));
process.stdout.write(`${all.length} clauses of ${suites.length} ports\n`);
