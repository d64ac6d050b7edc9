import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const reportSchema = z.object({
  counts: z.object({ clauses: z.number(), passed: z.number() }),
  results: z.array(z.object({ key: z.string(), outcome: z.string(), message: z.string().nullable() })),
});

// Every clause of the kit counts as named by a test, so that none may be skipped here.
it('the contract suite passes against the server as npm start runs it (KIT-006)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-contract-report-'));
  const path = join(folder, 'report.json');
  const run = promisify(execFile);
  const options = ['--config', 'test/kit/targets/portolan.json', '--report', path];
  const ended = await run(process.execPath, ['test/kit/main.ts', ...options], { env: programEnvironment() }).catch(
    (error: unknown) => error,
  );
  const report = reportSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(ended).not.toBeInstanceOf(Error);
  expect(report.counts.passed).toBeGreaterThan(150);
  await rm(folder, { recursive: true });
});
