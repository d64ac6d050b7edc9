import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '#test/demo/signed-in.ts';
import { inTime } from '#test/kit/checks.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ servers: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Reads at one of the servers in a person's name; the status. */
async function read(person: SignedIn, index: number, path: string): Promise<number> {
  const origin = cluster.servers[index % 2]?.origin ?? '';
  const answer = await fetch(`${origin}${path}`, { headers: { cookie: `user=${person.cookie('user')}` } });
  await answer.text();
  return answer.status;
}

describe('two servers that share one connection', () => {
  it('send exactly as many requests as the provider allows: ten a minute (LIMIT-011, LIMIT-003)', async () => {
    const person = await cluster.signIn();
    const { signing } = cluster.services.emulators;
    await person.save('signing', 'api_key', signing.apiKey);
    const endpoints = ['contacts', 'templates', 'forms'];
    // The ten are of a minute: a machine that took longer tries another endpoint.
    const { sent, statuses } = await inTime(55_000, async () => {
      const endpoint = endpoints.shift() ?? 'none is left';
      const call = (index: number) => read(person, index, `/api/signing/${endpoint}`);
      const seen = () => signing.requests.filter(({ url }) => url.startsWith(`/public/v1/${endpoint}`)).length;
      const atOnce = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => call(index)));
      const answers = [await call(0), await call(1)];
      // By then each has heard of the other's use. After a pause of the machine one long timer would end before
      // what has come is read.
      for (let times = 0; times < 50; times += 1) await delay(20);
      answers.push(...(await atOnce(38)));
      // A server that has just announced its use takes less than its share until the others have heard.
      while (seen() < 10) answers.push(...(await atOnce(2)));
      answers.push(...(await atOnce(4)));
      return { sent: seen(), statuses: answers };
    });
    expect(sent).toBe(10);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('pause when the provider has refused one of them (LIMIT-012)', async () => {
    const person = await cluster.signIn();
    const { tracker } = cluster.services.emulators;
    await person.save('tracker', 'personal_token', tracker.credentials.apiKey);
    const call = (index: number) => read(person, index, '/api/tracker/teams');
    // The connection is saved at one of them, and the other hears of it a moment later.
    await expect.poll(async () => [await call(0), await call(1)]).toEqual([200, 200]);
    tracker.failNext({ status: 429, headers: { 'retry-after': '600' } });
    expect(await call(0)).toBe(429);
    let sent = 0;
    const callOther = async () => {
      const before = tracker.requests.length;
      const status = await call(1);
      sent = tracker.requests.length - before;
      return status;
    };
    await expect.poll(callOther, { interval: 20, timeout: 60_000 }).toBe(429);
    expect(sent).toBe(0);
  });
});
