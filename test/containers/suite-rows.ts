import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { withDockerApi } from '#test/containers/docker-api.ts';
import { demand, type Row } from '#test/containers/row.ts';

/** The suites of the ports that are run on PostgreSQL, each of which starts a server of its own. */
const suites = globSync('test/contract/*.test.ts').filter((path) =>
  readFileSync(path, 'utf8').includes("from '#test/support/persistence/postgres.ts'"),
);

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** Runs test files, and returns what the runner reports. */
async function report(files: readonly string[], env: NodeJS.ProcessEnv): Promise<z.infer<typeof reportSchema>> {
  const path = join(tmpdir(), `portolan-suites-${process.pid}.json`);
  const { CI: _, TEST_POSTGRES_URL: __, ...clean } = env;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${path}`, '--maxWorkers=2'];
  const child = spawn(process.execPath, [...args, ...files], { env: clean, stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
  const said = reportSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  await rm(path);
  return said;
}

/** What holds of this project's own tests with containers. */
export const suiteRows: readonly Row[] = [
  {
    name: 'postgres-suites',
    isLong: true,
    needs: ['POSTGRES_IMAGE'],
    run: async ({ engine, images }) => {
      if (images.POSTGRES_IMAGE !== undefined)
        await engine.run('tag', images.POSTGRES_IMAGE, 'docker.io/library/postgres:18-alpine');
      return withDockerApi(engine, async ({ env, made }) => {
        const { numPassedTests: passed, numFailedTests: failed, testResults } = await report(suites, env);
        const wrong = testResults.filter(({ status }) => status !== 'passed');
        const tests = wrong
          .flatMap(({ assertionResults }) => assertionResults)
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages?.[0]?.slice(0, 400)}`);
        demand(
          failed === 0 && wrong.length === 0,
          `${failed} failed: ${[...wrong.map(({ name, message }) => `${name} ${message.slice(0, 300)}`), ...tests].join('; ')}`,
        );
        demand(
          made.size >= suites.length,
          `${made.size} containers for ${suites.length} suites: the others did not use one`,
        );
        return `${passed} tests of ${suites.length} suites passed, on PostgreSQL in ${made.size} containers of testcontainers`;
      });
    },
  },
];
