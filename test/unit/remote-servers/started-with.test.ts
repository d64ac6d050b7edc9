import { describe, expect, it } from 'vitest';
import { StartedWith } from '#adapters/messages/started-with.ts';
import { noOtherServers } from '#application/ports/other-servers.ts';
import { Town } from '#test/doubles/town.ts';

const named = (name: string, ...services: string[]) => ({ name, services });

describe('the remote servers with which each server was started', () => {
  it('are known of those that were there before and of those that come later, this one first (REMOTE-061)', async () => {
    const town = new Town();
    const [first, second] = [named('a', 'wiki'), named('b')];
    const one = new StartedWith(town.join('a'), first);
    one.start();
    const two = new StartedWith(town.join('b'), second);
    two.start();
    expect([await one.servers(), await two.servers()]).toEqual([
      [first, second],
      [second, first],
    ]);
  });

  it('are those of this server alone, where there is no other', async () => {
    const alone = new StartedWith(noOtherServers, named('a', 'wiki'));
    alone.start();
    expect(await alone.servers()).toEqual([named('a', 'wiki')]);
  });

  it('are forgotten of a server that has ended (REMOTE-061)', async () => {
    const town = new Town();
    const gone = new Set<string>();
    const one = new StartedWith({ ...town.join('a'), isGone: async (id) => gone.has(id) }, named('a'));
    one.start();
    new StartedWith(town.join('b'), named('b')).start();
    expect(await one.servers()).toHaveLength(2);
    gone.add('b');
    expect(await one.servers()).toEqual([named('a')]);
  });

  it.each([
    ['no name', { services: [], isAnswer: true }],
    ['a long name', { ...named('x'.repeat(400)), isAnswer: true }],
    ['services that are no texts', { name: 'b', services: [1], isAnswer: true }],
    ['nothing', null],
  ])('are not taken from a message with %s', async (_, body) => {
    const town = new Town();
    const one = new StartedWith(town.join('a'), named('a'));
    one.start();
    town.join('b').publish('started', Object(body));
    expect(await one.servers()).toEqual([named('a')]);
  });

  it('are remembered of 100 other servers at most', async () => {
    const town = new Town();
    const one = new StartedWith(town.join('a'), named('a'));
    one.start();
    const say = (id: string) => town.join(id).publish('started', { ...named(id), isAnswer: true });
    for (let index = 0; index < 150; index += 1) say(`s${index}`);
    const servers = await one.servers();
    expect([servers.length, servers[1]?.name]).toEqual([101, 's50']);
  });
});
