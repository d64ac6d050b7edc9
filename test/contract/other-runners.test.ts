import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { rounds } from '#test/support/form.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const folder = 'test/support/contracts/runners';

/** What a program prints when it ends. */
async function printed(...parameters: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, parameters, {
    env: { ...programEnvironment(), TEST_FORM: process.env['TEST_FORM'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

const counts = z.object({ tests: z.number(), passes: z.number(), pending: z.number(), failures: z.number() });

it('the suites of all ports also pass under node:test and mocha', async () => {
  const [tap, json] = await Promise.all([
    printed('--test', '--test-reporter=tap', `${folder}/with-node-test.ts`),
    printed('node_modules/mocha/bin/mocha.js', '--timeout', '60000', '--reporter', 'json', `${folder}/with-mocha.mjs`),
  ]);
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1]);
  const underNode = {
    tests: count('tests'),
    passes: count('pass'),
    pending: count('skipped'),
    failures: count('fail'),
  };
  expect(underNode, tap).toMatchObject({ failures: 0, passes: underNode.tests - underNode.pending });
  expect(underNode.passes).toBeGreaterThan(rounds(350, 700));
  expect(z.object({ stats: counts }).parse(JSON.parse(json)).stats, json).toEqual(underNode);
});
