import { expect, it } from 'vitest';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { builtInReactions, switchedOn } from '#domain/reactions/built-in.ts';
import { allReactions } from '#domain/reactions/react.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';

/** Servers that notify one another, those among them that hear; and the reads of the one log that they share. */
function servers(...hearing: readonly boolean[]) {
  const log = new MemoryReactionLog();
  const clock = new SettableClock(1_000_000);
  const reads = { count: 0 };
  const counted = {
    setSwitch: log.setSwitch.bind(log),
    switchedOff: () => {
      reads.count += 1;
      return log.switchedOff();
    },
  };
  const heard: (() => void)[] = [];
  const missed: (() => void)[] = [];
  const all = hearing.map((isHearing) => {
    const others: OtherServers = {
      ...noOtherServers,
      isAlone: () => false,
      isHearing: () => isHearing,
      publish: (topic, body) => {
        expect([topic, body]).toEqual(['reaction switches', {}]);
        for (const run of heard) run();
      },
      subscribe: (_, listener) => {
        if (isHearing) heard.push(() => listener({}, 'another'));
        return () => undefined;
      },
      onMissed: (run) => {
        missed.push(run);
        return () => undefined;
      },
    };
    return new BuiltInSwitches({ log: counted, others, clock });
  });
  return {
    all,
    log,
    clock,
    reads,
    miss: () => {
      for (const run of missed) run();
    },
  };
}

it('a switch takes effect at once on every server, with or without a notification (WRITE-017)', async () => {
  const { all, reads } = servers(true, true, false);
  const [one] = all;
  const offOf = async () => (await Promise.all(all.map((server) => server.off()))).map((off) => [...off]);
  expect(await offOf()).toEqual([[], [], []]);
  expect(await one?.set('deal-updated', false)).toBe(true);
  expect(await offOf()).toEqual([['deal-updated'], ['deal-updated'], ['deal-updated']]);
  const before = reads.count;
  await offOf();
  expect(reads.count).toBe(before + 1);
  expect(await one?.set('deal-updated', true)).toBe(true);
  expect(await offOf()).toEqual([[], [], []]);
  expect(await one?.set('nothing', false)).toBe(false);
});

it('missed changes of switches are read again, at the latest after half a minute (WRITE-017)', async () => {
  const { all, log, clock, miss } = servers(true);
  const [one] = all;
  await one?.off();
  await log.setSwitch('issue-changed', false);
  expect([...((await one?.off()) ?? [])]).toEqual([]);
  miss();
  expect([...((await one?.off()) ?? [])]).toEqual(['issue-changed']);
  await log.setSwitch('issue-changed', true);
  clock.advance(30_000);
  expect([...((await one?.off()) ?? [])]).toEqual([]);
});

it('values read while a switch changed are not cached (WRITE-017)', async () => {
  const { all, log, miss } = servers(true);
  const [one] = all;
  const reading = one?.off();
  miss();
  expect([...((await reading) ?? [])]).toEqual([]);
  await log.setSwitch('issue-changed', false);
  expect([...((await one?.off()) ?? [])]).toEqual(['issue-changed']);
});

it('each built-in reaction has a switch, and a unique name (WRITE-017)', () => {
  const parts = builtInReactions.flatMap((one) => one.parts);
  expect(new Set(parts)).toEqual(new Set(allReactions));
  expect(parts).toHaveLength(allReactions.length);
  expect(new Set(builtInReactions.map(({ name }) => name)).size).toBe(5);
  const event = { service: 'signing', name: 'document_completed_pdf_ready' };
  const { reactions, said } = switchedOn(allReactions, new Set(['document-ready', 'deal-updated']), event);
  expect(reactions).toHaveLength(allReactions.length - 2);
  expect(said).toBe('switched off: document-ready');
  expect(switchedOn(allReactions, new Set(['deal-updated']), event).said).toBeNull();
});
