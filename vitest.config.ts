import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Tests of what a process as a whole does, such as its memory or its processor time, and the one that replaces a module: they run when all
 * others are done, one by one, with modules of their own.
 */
const alone = [
  'test/http/server/every-route.test.ts',
  'test/http/vault/event-loop.test.ts',
  'test/property/growth.test.ts',
  'test/attacks/authorization.test.ts',
  'test/e2e/large-upload.test.ts',
];

export default defineConfig(({ mode }) => ({
  test: {
    // How long a test may hang, on a machine that is busy. No test says by it how fast something is.
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
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    reporters:
      process.env['CI'] === 'true' ? ['default', ['json', { outputFile: '.vitest-report.json' }]] : ['default'],
  },
}));
