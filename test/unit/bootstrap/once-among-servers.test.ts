import { expect, it } from 'vitest';
import { onceAmongServers } from '#bootstrap/jobs/once-among-servers.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';

const job = { name: 'prune', periodMs: 60_000 };

it('one of three servers runs a job in each period, whichever looks first (INBOX-015)', async () => {
  const clock = new SettableClock(0);
  const leases = new MemoryLeases(clock);
  const runs: string[] = [];
  const servers = ['a', 'b', 'c'].map((owner) =>
    onceAmongServers({ leases, owner }, job, async () => void runs.push(owner)),
  );
  for (const server of servers) await server.run();
  expect(runs).toEqual(['a']);
  clock.advance(60_000);
  for (const server of servers.toReversed()) await server.run();
  expect(runs).toEqual(['a', 'c']);
});

it('a run that fails, or a server that stops, leaves the period to the next server', async () => {
  const leases = new MemoryLeases(new SettableClock(0));
  const runs: string[] = [];
  const failing = onceAmongServers({ leases, owner: 'a' }, job, () => Promise.reject(new Error('full')));
  await expect(failing.run()).rejects.toThrow('full');
  const [stopping, next] = ['b', 'c'].map((owner) =>
    onceAmongServers({ leases, owner }, job, async () => void runs.push(owner)),
  );
  await stopping?.run();
  await next?.release();
  await next?.run();
  expect(runs).toEqual(['b']);
  await stopping?.release();
  await next?.run();
  expect(runs).toEqual(['b', 'c']);
});
