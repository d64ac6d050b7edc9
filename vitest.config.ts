import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that have a process of their own: they measure its memory or processor time. They run beside the others:
 * what they measure is their own process's, and not what the machine does.
 */
const apart = [
  'test/http/vault/event-loop.test.ts',
  'test/property/growth.test.ts',
  'test/attacks/authorization.test.ts',
  'test/attacks/reaction-notes.test.ts',
  'test/attacks/templates.test.ts',
  'test/e2e/large-upload.test.ts',
  'test/unit/infrastructure/write-zip.test.ts',
];

/** Tests that put something else in a module's place: nobody may share that with them. */
const mocking = globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes('vi.mock('));

/** Folders of tests that start programs, and mostly wait for them, while tests of the other folders need the processor. */
const waiting = [
  'test/faults/',
  'test/e2e/',
  'test/clients/',
  'test/cli/',
  'test/http/webhooks/',
  'test/browser/',
  'test/attacks/slow',
];

/** Files that take a minute or more next to the others: they start first, so that no worker is left with one at the end. */
const longest = [
  'test/e2e/contract-suite.test.ts',
  'test/property/growth.test.ts',
  'test/assistant/tasks.test.ts',
  'test/attacks/reaction-notes.test.ts',
  'test/e2e/package.test.ts',
  'test/contract/persistence-postgres.test.ts',
  'test/http/webhooks/hanging-service.test.ts',
  'test/faults/start.test.ts',
  'test/faults/notifications.test.ts',
];

/**
 * Starts the longest files first, then those that wait between those that do not: there is always something that needs the processor, and
 * never only that.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = (path: string) => longest.includes(path);
    const isWaiting = (path: string) => waiting.some((folder) => path.startsWith(folder));
    const others = sorted.filter((file) => !isLongest(pathOf(file)));
    const [wait, work] = [true, false].map((waits) => others.filter((file) => isWaiting(pathOf(file)) === waits));
    const placed = [...spread(wait ?? []), ...spread(work ?? [])].toSorted((left, right) => left.at - right.at);
    const first = sorted.filter((file) => isLongest(pathOf(file)));
    return [
      ...first.toSorted((left, right) => longest.indexOf(pathOf(left)) - longest.indexOf(pathOf(right))),
      ...placed.map(({ file }) => file),
    ];
  }
}

/** Places files at equal distances between 0 and 1. */
function spread(files: readonly TestSpecification[]) {
  return files.map((file, index) => ({ file, at: (index + 0.5) / files.length }));
}

function pathOf({ moduleId }: TestSpecification): string {
  return relative(import.meta.dirname, moduleId).replaceAll('\\', '/');
}

/** What tests, and programs that they start, were compiled to before: without it every worker takes 2 s more to load the sources. */
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, 'node_modules/.cache/tested-programs');

/** Whether all files run, `npm test`: then those that need PostgreSQL share one. A file that runs alone starts its own, if it needs one. */
const isWhole = process.argv.slice(3).every((word) => word.startsWith('-') || word === 'long');

/** Nothing is replaced: Node loads the sources itself, as it does for the server, and no worker has them transformed by Vite. */
const asNodeLoads = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig(({ mode }) => ({
  test: {
    // How long a test may hang, on a machine that is busy. No test says by it how fast something is.
    testTimeout: mode === 'long' ? 600_000 : 120_000,
    hookTimeout: 180_000,
    globalSetup: ['test/support/server/tested-program.ts'],
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for a process or a provider, so that two cores carry six files at once.
    maxWorkers: Math.max(6, availableParallelism()),
    sequence: { sequencer: Mixed },
    env: {
      TEST_FORM: mode === 'long' ? 'long' : 'short',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, ...mocking],
          // Files of one worker share the modules that they import: loading them anew for each took a third of the time.
          isolate: false,
          globalSetup: isWhole ? ['test/support/persistence/shared-postgres.ts'] : [],
          experimental: asNodeLoads,
        },
      },
      // Node's loader lets a test put something else in a module's place.
      { extends: true, test: { name: 'mocking', include: mocking, experimental: { viteModuleRunner: false } } },
      { extends: true, test: { name: 'apart', include: apart, experimental: asNodeLoads } },
    ],
    reporters:
      process.env['CI'] === 'true' ? ['default', ['json', { outputFile: '.vitest-report.json' }]] : ['default'],
  },
}));
