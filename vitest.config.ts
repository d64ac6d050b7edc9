import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Tests of what a process as a whole does, such as its memory or its processor time: they run when all others are done, one by one, with
 * modules of their own.
 */
const alone = [
  'test/http/vault/event-loop.test.ts',
  'test/property/growth.test.ts',
  'test/attacks/authorization.test.ts',
  'test/e2e/large-upload.test.ts',
  // It lists a sixth service.
  'test/examples/helpdesk/helpdesk.test.ts',
];

/** Tests that put something else in a module's place: nobody may share that with them. */
const mocking = globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes('vi.mock('));

export default defineConfig(({ mode }) => ({
  test: {
    // How long a test may hang, on a machine that is busy. No test says by it how fast something is.
    // The services are listed at start, which tests of parts do not go through.
    setupFiles: ['test/support/services/five-services.ts'],
    testTimeout: mode === 'long' ? 600_000 : 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for a process or a provider, so that two cores carry three of them.
    maxWorkers: Math.max(3, availableParallelism()),
    env: {
      TEST_FORM: mode === 'long' ? 'long' : 'short',
      // Programs that tests start are compiled once.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tested-programs'),
    },
    projects: [
      {
        extends: true,
        // Files of one worker share the modules that they import: loading them anew for each took a third of the time.
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...alone, ...mocking], isolate: false },
      },
      { extends: true, test: { name: 'mocking', include: mocking } },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    reporters:
      process.env['CI'] === 'true' ? ['default', ['json', { outputFile: '.vitest-report.json' }]] : ['default'],
  },
}));
