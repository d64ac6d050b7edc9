import { join, resolve } from 'node:path';
import type { TestModule, TestProject, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { titlesOf } from '#test/planted/named-tests.ts';
import { plantFlag } from '#test/planted/outside.ts';

/** Tests to run in a process of their own: those of a file that are named after one of the clauses, with a fault planted or with none. */
export type Asked = Readonly<{ file: string; clauses: readonly string[]; planted: string | null }>;

/** What came of them: the titles that failed, the number that ran, and why the file could not be loaded, null if it could. */
export type Outcome = Readonly<{ failed: readonly string[]; ran: number; unloaded: string | null }>;

/** How many files wait to be run at once; as many processes run them as vitest sees fit. */
const slots = 8;

/**
 * How long a test with a fault may take, and what it waits for: a fault that keeps something from happening is caught by that. Tests without
 * a fault have the time that they have in `npm test`.
 */
const plantedTimes = { testTimeout: 45_000, hookTimeout: 180_000, expect: { poll: { timeout: 8_000 } } };
const usualTimes = { testTimeout: 120_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

/** What was compiled before, as vitest.config.ts sets it: without it each process takes 2 s more to load the sources. */
const compileCache = join(process.cwd(), 'node_modules/.cache/tested-programs');

/** Runs tests by one vitest, whose every process loads the sources by itself, with the fault that its project's environment names. */
export class PlantedTests {
  readonly #vitest: Vitest;

  private constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  /** Starts vitest; `workers` is how many files run at once. */
  static async open(workers: number): Promise<PlantedTests> {
    const shared = { root: process.cwd(), include: ['test/**/*.test.ts'], isolate: true, pool: 'forks' as const };
    const experimental = { viteModuleRunner: false, nodeLoader: false };
    const project = (name: string, times: typeof usualTimes) => ({ test: { ...shared, ...times, name, experimental } });
    const vitest = await createVitest('test', {
      config: false,
      watch: false,
      maxWorkers: workers,
      reporters: [{}],
      // A fault may change what a snapshot shows; it is compared, and never written.
      update: 'none',
      projects: [
        ...Array.from({ length: slots }, (_, index) => project(`planted ${index}`, plantedTimes)),
        project('unplanted', usualTimes),
      ],
    });
    return new PlantedTests(vitest);
  }

  /** Runs up to `slots` of them at once; the outcomes are in the order of what was asked. */
  async run(asked: readonly Asked[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (let from = 0; from < asked.length; from += slots) {
      outcomes.push(...(await this.#batch(asked.slice(from, from + slots))));
    }
    return outcomes;
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }

  async #batch(asked: readonly Asked[]): Promise<readonly Outcome[]> {
    const specifications = asked.map(({ file, clauses, planted }, index) => {
      const project = this.#project(planted === null ? 'unplanted' : `planted ${index}`);
      project.config.env = {
        ...project.config.env,
        PLANTED: planted ?? '',
        NODE_OPTIONS: plantFlag,
        NODE_COMPILE_CACHE: compileCache,
      };
      return project.createSpecification(resolve(file), { testNamePattern: titlesOf(clauses) });
    });
    const { testModules } = await this.#vitest.runTestSpecifications(specifications);
    return specifications.map(({ moduleId, project }) =>
      outcomeOf(testModules.find((one) => one.moduleId === moduleId && one.project.name === project.name)),
    );
  }

  #project(name: string): TestProject {
    const found = this.#vitest.projects.find((one) => one.name === name);
    if (found === undefined) throw new Error(`vitest has no project ${name}`);
    return found;
  }
}

function outcomeOf(module: TestModule | undefined): Outcome {
  if (module === undefined) return { failed: [], ran: 0, unloaded: 'it was not run' };
  const results = [...module.children.allTests()].map((test) => ({ title: test.fullName, state: test.result().state }));
  // What prepares the tests of a suite is part of them: when it fails, they do.
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  const failed = results.filter(({ state }) => state === 'failed').map(({ title }) => title);
  if (failed.length === 0) failed.push(...suites.map((suite) => suite.fullName));
  const ran = results.filter(({ state }) => state === 'failed' || state === 'passed').length;
  const [error] = module.errors();
  return { failed, ran, unloaded: failed.length === 0 && error !== undefined ? error.message : null };
}
