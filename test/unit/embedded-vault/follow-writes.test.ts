import { expect, it } from 'vitest';
import { followWrites, tellOfWrite } from '#adapters/vault-folder/index/follow-writes.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import { rememberingLogger } from '#test/support/webhooks/webhook-harness.ts';

/** Two servers that hear each other. */
function connected() {
  const heard: ((body: unknown, from: string) => void)[] = [];
  const missed: (() => void)[] = [];
  const others: OtherServers = {
    ...noOtherServers,
    isAlone: () => false,
    publish: (_, body) => {
      for (const hear of heard) hear(structuredClone(body), 'another');
    },
    subscribe: (_, listener) => {
      heard.push(listener);
      return () => void heard.splice(heard.indexOf(listener), 1);
    },
    onMissed: (run) => {
      missed.push(run);
      return () => void missed.splice(missed.indexOf(run), 1);
    },
  };
  return { others, heard, missed };
}

it('a server reads what another one reports as written, and everything when it may have missed something (EMB-018)', async () => {
  const { others, heard, missed } = connected();
  const looked: string[] = [];
  let rebuilt = 0;
  const keeper = {
    look: (path: string) => void looked.push(path),
    rebuild: async () => {
      rebuilt += 1;
    },
  };
  const stop = followWrites(others, keeper, rememberingLogger().logger);
  tellOfWrite(others, 'Deals/Acme & Söhne 100%.md');
  expect(looked).toEqual(['Deals/Acme & Söhne 100%.md']);
  for (const run of missed) run();
  expect(rebuilt).toBe(1);
  for (const body of [null, {}, { path: 7 }, { path: '../outside.md' }, { path: '.portolan/vault.json' }]) {
    others.publish('notes', body as object);
  }
  expect(looked).toHaveLength(1);
  stop();
  expect([heard, missed]).toEqual([[], []]);
});

it('a single server publishes nothing', () => {
  const published: string[] = [];
  tellOfWrite({ ...noOtherServers, publish: (topic) => void published.push(topic) }, 'note.md');
  expect(published).toEqual([]);
});
