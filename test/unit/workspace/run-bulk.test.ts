import { describe, expect, it } from 'vitest';
import type { ToolCall } from '#adapters/mcp/tools/tool.ts';
import { workspaceBulk } from '#adapters/mcp/tools/workspace-bulk.ts';
import { RunBulk } from '#application/workspace/run-bulk.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { people } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';

const operation = { service: 'vault', name: 'notes.read' };
const itemsOf = (length: number) => Array.from({ length }, () => ({ input: {}, asked: {} }));
const idle = () => new AbortController().signal;

describe('many calls', () => {
  it('begin no further one when four fifths of the time are over (WORK-009)', async () => {
    let now = 0;
    const run = async (): Promise<Outcome> => {
      now += 300;
      return succeeded(null);
    };
    const bulk = new RunBulk({ run, clock: { now: () => now }, deadlineMs: 1_000 });
    const outcome = await bulk.run(people.ann, { operation, items: itemsOf(5), signal: idle() });
    expect([outcome.done.length, outcome.notTried, outcome.stopped]).toEqual([
      3,
      [4, 5],
      'The time for one call is over.',
    ]);
  });

  it('wait for none that hangs: it is unknown whether that one took effect (WORK-009)', async () => {
    const run = (): Promise<Outcome> => new Promise(() => {});
    const bulk = new RunBulk({ run, clock: { now: () => 0 }, deadlineMs: 20 });
    const { refused, notTried } = await bulk.run(people.ann, { operation, items: itemsOf(2), signal: idle() });
    expect(refused).toMatchObject([{ item: 1, failure: { reason: 'unavailable', sent: 'unknown' } }]);
    expect(notTried).toEqual([2]);
  });

  it('end when the call is cancelled, and report their progress (WORK-009)', async () => {
    const cancel = new AbortController();
    const progress: unknown[] = [];
    const bulk = new RunBulk({ run: async () => succeeded(1), clock: { now: () => 0 }, deadlineMs: 60_000 });
    const onProgress = (one: Readonly<{ done: number }>): void => {
      progress.push(one);
      if (one.done === 2) cancel.abort();
    };
    const outcome = await bulk.run(people.ann, { operation, items: itemsOf(3), signal: cancel.signal, onProgress });
    expect([outcome.notTried, outcome.stopped]).toEqual([[3], 'The call was cancelled.']);
    expect(progress).toEqual([
      { done: 1, total: 3, message: '1 of 3' },
      { done: 2, total: 3, message: '2 of 3' },
    ]);
  });

  it('go on after failures with several reasons (WORK-009)', async () => {
    let calls = 0;
    const run = async (): Promise<Outcome> => {
      calls += 1;
      return failed(calls % 5 === 0 ? 'conflict' : 'not_found', 'no');
    };
    const bulk = new RunBulk({ run, clock: { now: () => 0 }, deadlineMs: 60_000 });
    const items = itemsOf(50);
    expect((await bulk.run(people.ann, { operation, items, signal: idle() })).refused).toHaveLength(50);
  });
});

describe('the user is asked', () => {
  const asked: unknown[] = [];
  const answering = (action: string): ToolCall => ({
    signal: idle(),
    client: {
      state: null,
      can: () => true,
      elicits: (mode) => mode === 'form',
      ask: async (questions) => {
        asked.push(questions);
        return { answer: { action, content: { confirm: true } } };
      },
    },
  });
  const bulkOver = (gateway: FakeGateway) =>
    workspaceBulk(new RunBulk({ run: runOver(gateway), clock: { now: () => 0 }, deadlineMs: 60_000 }), fakeCatalog);
  const items = [{ path: 'a.md' }, { path: 'b.md' }];

  it('once for all calls of a destructive tool, and nothing runs if they decline (WORK-011)', async () => {
    const gateway = new FakeGateway();
    const bulk = bulkOver(gateway);
    const args = { operation: 'vault_note_delete', items };
    expect((await bulk.run(people.ann, args, answering('decline'))).structuredContent).toMatchObject({
      reason: 'declined',
    });
    expect([asked.length, gateway.calls.length]).toEqual([1, 0]);
    expect(JSON.stringify(asked[0])).toContain('b.md');
    await bulk.run(people.ann, args, answering('accept'));
    expect([asked.length, gateway.calls.length]).toEqual([2, 2]);
  });

  it('not for a tool that reads, nor before a call that is not permitted (WORK-011)', async () => {
    const gateway = new FakeGateway();
    const bulk = bulkOver(gateway);
    const before = asked.length;
    await bulk.run(people.ann, { operation: 'vault_note_read', items }, answering('decline'));
    expect(gateway.calls).toHaveLength(2);
    await bulk.run(people.teller, { operation: 'vault_note_delete', items }, answering('accept'));
    expect([asked.length, gateway.calls.length]).toEqual([before, 2]);
  });
});
