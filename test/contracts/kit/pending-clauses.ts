import assert from 'node:assert/strict';
import type { Clause } from '#test/contracts/kit/contract.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

/** A store of what waits for a browser to come back, by state. */
type Pending<Value> = Readonly<{
  keep(state: string, value: Value): Promise<void>;
  take(state: string): Promise<Value | null>;
}>;

/** What differs between such stores: the prefix of their clauses, the noun, and values to store. */
type PendingFacts<Value> = Readonly<{
  prefix: string;
  noun: string;
  full(): Value;
  bare(): Value;
  /** One of another browser. */
  of(browser: string): Value;
}>;

/** The clauses of a store of pending flows, each of which is taken once. Bounded stores are opened with a capacity of four. */
export function pendingClauses<Value>(
  clause: Clause<Pending<Value>>,
  { prefix, noun, full, bare, of }: PendingFacts<Value>,
): void {
  clause(`${prefix}-001 returns every field as it was stored`, async ({ port }) => {
    await port.keep('state-1', full());
    await port.keep('state-2', bare());
    assert.deepEqual(await port.take('state-1'), full());
    assert.deepEqual(await port.take('state-2'), bare());
  });

  clause(`${prefix}-002 returns a ${noun} once`, async ({ port }) => {
    await port.keep('state-1', full());
    assert.notEqual(await port.take('state-1'), null);
    assert.equal(await port.take('state-1'), null);
  });

  clause(`${prefix}-003 returns a ${noun} to exactly one of many concurrent callers`, async ({ port }) => {
    await port.keep('state-1', full());
    const taken = await Promise.all(Array.from({ length: 20 }, () => port.take('state-1')));
    assert.deepEqual(
      taken.filter((pending) => pending !== null),
      [full()],
    );
  });

  clause(`${prefix}-004 returns null for a state that was not stored, however similar`, async ({ port }) => {
    await port.keep('State-1', full());
    for (const state of ['state-1', 'State-1 ', ' State-1', 'State', 'State-11', '%', ...oddTexts]) {
      assert.equal(await port.take(state), null, state);
    }
    assert.deepEqual(await port.take('State-1'), full());
  });

  clause(`${prefix}-005 leaves the ${noun}s of other states, even of the same user and browser`, async ({ port }) => {
    await port.keep('state-1', full());
    await port.keep('state-2', full());
    await port.take('state-1');
    assert.deepEqual(await port.take('state-2'), full());
  });

  clause(`${prefix}-006 drops the oldest ${noun} when it is full`, async ({ port }) => {
    for (const state of ['1', '2', '3', '4', '5']) await port.keep(state, of(state));
    assert.equal(await port.take('1'), null);
    for (const state of ['2', '3', '4', '5']) assert.deepEqual(await port.take(state), of(state));
  });

  clause(`${prefix}-007 frees the place of each ${noun} that is taken`, async ({ port }) => {
    for (const state of ['1', '2', '3', '4']) await port.keep(state, full());
    await port.take('3');
    await port.keep('5', full());
    for (const state of ['1', '2', '4', '5']) assert.deepEqual(await port.take(state), full());
  });

  clause(`${prefix}-008 replaces the ${noun} with the same state`, async ({ port }) => {
    await port.keep('state-1', full());
    await port.keep('state-1', bare());
    assert.deepEqual(await port.take('state-1'), bare());
    assert.equal(await port.take('state-1'), null);
  });

  clause(`${prefix}-009 keeps no reference: a value that was given may be changed afterwards`, async ({ port }) => {
    const given = full();
    await port.keep('state-1', given);
    tamper(given);
    assert.deepEqual(await port.take('state-1'), full());
  });

  clause(`${prefix}-010 has all ${noun}s that are stored concurrently`, async ({ port }) => {
    const states = ['1', '2', '3', '4'];
    await Promise.all(states.map((state) => port.keep(state, of(state))));
    for (const state of states) assert.deepEqual(await port.take(state), of(state));
  });

  clause(
    `${prefix}-011 returns a ${noun} to exactly one of two processes`,
    async ({ port, beside }) => {
      const other = await beside();
      for (const state of ['1', '2', '3', '4']) {
        await port.keep(state, full());
        const taken = await Promise.all([port, other, port, other].map((one) => one.take(state)));
        assert.deepEqual(
          taken.filter((pending) => pending !== null),
          [full()],
        );
      }
    },
    'processes',
  );

  clause(
    `${prefix}-901 has everything when it is reopened`,
    async ({ port, reopen }) => {
      for (const state of ['1', '2', 'taken']) await port.keep(state, of(state));
      await port.take('taken');
      const reopened = await reopen();
      assert.equal(await reopened.take('taken'), null);
      for (const state of ['1', '2']) assert.deepEqual(await reopened.take(state), of(state));
    },
    'durable',
  );

  clause(
    `${prefix}-902 has nothing when it is reopened, if declared not durable`,
    async ({ port, reopen }) => {
      await port.keep('state-1', full());
      assert.equal(await (await reopen()).take('state-1'), null);
    },
    'not durable',
  );

  clause(
    `${prefix}-903 shows a second process at once what the first stored`,
    async ({ port, beside }) => {
      const other = await beside();
      await port.keep('state-1', full());
      assert.deepEqual(await other.take('state-1'), full());
      assert.equal(await port.take('state-1'), null);
    },
    'processes',
  );

  clause(
    `${prefix}-904 shows a second process nothing, if declared to serve one`,
    async ({ port, beside }) => {
      await port.keep('state-1', full());
      assert.equal(await (await beside()).take('state-1'), null);
    },
    'not processes',
  );
}
