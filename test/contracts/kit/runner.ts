/** The test-runner functions that a suite calls; vitest, node:test and mocha have them under these names. */
export type Runner = Readonly<{
  describe(title: string, body: () => void): unknown;
  it: RunTest & Readonly<{ skip: RunTest }>;
  beforeEach(body: () => Promise<void>): unknown;
  afterEach(body: () => Promise<void>): unknown;
}>;

/** Registers a test. The body takes no parameter, so that no runner waits for a callback. */
export type RunTest = (title: string, body: () => Promise<void>) => unknown;
