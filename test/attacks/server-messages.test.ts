import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMessageStand } from '#test/fuzz/message-stand.ts';
import { serverMessages } from '#test/fuzz/server-messages.ts';

// Whoever may use LISTEN and NOTIFY on the database sends a server what servers send each other: a call that writes a note.

let stand: Exclude<Awaited<ReturnType<typeof openMessageStand>>, string>;
beforeAll(async () => {
  const opened = await openMessageStand();
  if (typeof opened === 'string') throw new Error(opened);
  stand = opened;
});
afterAll(() => stand[Symbol.asyncDispose]());

const kinds = Map.groupBy(fc.sample(serverMessages, { seed: 1, numRuns: 60 }), ({ method }) => method);

it.each([...kinds])(
  'a message with one thing wrong is ignored, and stops no valid message: %s (PEER-004, PEER-005, PEER-006)',
  async (_, requests) => {
    for (const request of requests) {
      const { status, text } = await stand.send(request);
      expect([request.body, status, text]).toEqual([request.body, 400, '']);
    }
  },
);

it('some messages of each kind are sent', () => {
  expect(kinds.size).toBe(10);
});
