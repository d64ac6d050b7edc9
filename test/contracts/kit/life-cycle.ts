import assert from 'node:assert/strict';
import type { Clause } from '#test/contracts/kit/contract.ts';

/** How to fill a store, and how to read all its contents. */
export type LifeCycle<Port> = Readonly<{
  /** The prefix of the suite's ids: 'CLIENTS'. */
  prefix: string;
  fill(port: Port): Promise<void>;
  read(port: Port): Promise<unknown>;
}>;

/** Clauses 901 to 904, part of every store's suite: what a store contains when it is reopened, and when a second process opens it. */
export function lifeCycle<Port>(clause: Clause<Port>, { prefix, fill, read }: LifeCycle<Port>): void {
  clause(
    `${prefix}-901 has everything when it is reopened`,
    async ({ port, reopen }) => {
      const empty = await read(port);
      await fill(port);
      const before = await read(port);
      assert.notDeepEqual(before, empty);
      assert.deepEqual(await read(await reopen()), before);
    },
    'durable',
  );

  clause(
    `${prefix}-902 has nothing when it is reopened, if declared not durable`,
    async ({ port, reopen }) => {
      const empty = await read(port);
      await fill(port);
      assert.deepEqual(await read(await reopen()), empty);
    },
    'not durable',
  );

  clause(
    `${prefix}-903 shows a second process at once what the first stored`,
    async ({ port, beside }) => {
      const other = await beside();
      await fill(port);
      assert.deepEqual(await read(other), await read(port));
    },
    'processes',
  );

  clause(
    `${prefix}-904 shows a second process nothing, if declared to serve one`,
    async ({ port, beside }) => {
      const empty = await read(port);
      await fill(port);
      assert.deepEqual(await read(await beside()), empty);
    },
    'not processes',
  );
}
