import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { allFaults } from '#test/kit/self-test/run.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const reportSchema = z.object({
  counts: z.object({ clauses: z.number(), passed: z.number() }),
  results: z.array(z.object({ key: z.string(), outcome: z.string(), message: z.string().nullable() })),
});

/** Runs the suite as `npm run contract -- …` does; what it printed, and whether it ended well. */
async function ran(...options: readonly string[]): Promise<Readonly<{ isGood: boolean; said: string }>> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['test/kit/main.ts', ...options], {
      env: programEnvironment(),
    });
    return { isGood: true, said: stdout };
  } catch (error) {
    // What it printed says which check failed; an error of starting it has printed nothing.
    const printed = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    return { isGood: false, said: `${printed}\n${String(error)}` };
  }
}

// Every clause of the kit counts as named by a test, so that none may be skipped here.
it('the contract suite passes against the server as npm start runs it (KIT-006)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-contract-report-'));
  const path = join(folder, 'report.json');
  const { isGood, said } = await ran('--config', 'test/kit/targets/portolan.json', '--report', path);
  const report = reportSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(isGood, said).toBe(true);
  expect(report.counts.clauses).toBeGreaterThan(200);
  await rm(folder, { recursive: true });
}, 300_000);

it('the contract suite passes in the other modes: metadata on, clients kept, strict, webhooks on (KIT-010)', async () => {
  const sections = 'PUB,META,REG,AUTH,CODE,TOKEN,PKCE,SESS,SET,WREG';
  const target = 'test/kit/targets/portolan-modes.json';
  const folder = await mkdtemp(join(tmpdir(), 'portolan-contract-modes-'));
  const path = join(folder, 'report.json');
  const { isGood, said } = await ran('--config', target, '--report', path, '--only', sections);
  const { results } = reportSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  const of = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).map(({ key }) => key);
  expect(of('failed')).toEqual([]);
  expect(isGood, said).toBe(true);
  const passed = of('passed');
  for (const key of [
    'META-002',
    'META-003',
    'META-004/on',
    'SET-021',
    'AUTH-031',
    'WREG-003',
    'TOKEN-012/pkce',
    'TOKEN-012/secret',
  ])
    expect(passed).toContain(key);
  expect(passed.length).toBeGreaterThan(100);
  await rm(folder, { recursive: true });
}, 300_000);

it('every planted fault is caught by each check that covers it (KIT-007)', async () => {
  const { isGood, said } = await ran('--self-test');
  expect(said).toContain(`${allFaults.length} of ${allFaults.length} planted faults are seen`);
  expect(isGood, said).toBe(true);
  expect(allFaults.length).toBeGreaterThan(100);
}, 300_000);
