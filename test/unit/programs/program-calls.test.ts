import { expect, it } from 'vitest';
import { ProgramCalls } from '#application/programs/program-calls.ts';
import { ProgramOperations } from '#application/programs/program-operations.ts';
import type { User } from '#domain/users/user.ts';

const user: User = { id: 1, email: 'ann@example.com', permissions: [], isAdmin: false, signedOutBefore: null };

it('at most eight calls of a program are made at a time (PROG-009)', async () => {
  let [open, most] = [0, 0];
  const other = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return { ok: true as const, value: 1 };
  };
  const calls = new ProgramCalls({
    run: () => Promise.reject(new Error('No operation is called.')),
    user,
    programId: 'p',
    operations: new ProgramOperations([]),
    mode: 'real',
    explain: null,
    signal: new AbortController().signal,
    stop: () => undefined,
    others: new Map([['other', other]]),
    describe: ({ message }) => ({ message }),
    check: () => null,
  });
  // Each answer has another call made at once, beside those that wait.
  const chain = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await calls.call('other', {});
  };
  await Promise.all(Array.from({ length: 20 }, chain));
  expect(most).toBe(8);
  expect(calls.count).toBe(400);
});
