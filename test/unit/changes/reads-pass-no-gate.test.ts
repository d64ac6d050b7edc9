import { expect, it } from 'vitest';
import { RunOperation } from '#application/operations/run-operation.ts';
import { guest } from '#domain/users/user.ts';
import { FakeGateway, fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import { answeredBy } from '#test/support/services/operations-over.ts';

it('a call that reads passes no gate, whatever its app has to ask (ASK-015)', async () => {
  const passed: string[] = [];
  const refuse = async () => {
    passed.push('gate');
    throw new Error('A read passed the gate');
  };
  const gateway = new FakeGateway();
  const operations = new RunOperation({
    ...answeredBy(gateway),
    catalog: fakeCatalog,
    gate: { run: refuse, runAllowed: refuse },
  });
  const user = {
    ...guest,
    id: 7,
    permissions: ['vault'],
    app: { grantId: 'G1', name: 'App', ask: 'change' },
  } as const;
  const call = { service: 'vault', input: { path: 'a.md' } };
  expect(await operations.run(user, { ...call, name: 'notes.read' })).toMatchObject({ ok: true });
  expect([passed, gateway.calls[0]?.onPlanned]).toEqual([[], undefined]);
  await expect(operations.run(user, { ...call, name: 'notes.delete' })).rejects.toThrow('gate');
});
