import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ servers: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe('two servers that use one connection', () => {
  it('send no more than the provider allows, and all of that: ten a minute (LIMIT-011, LIMIT-003)', async () => {
    const person = await cluster.signIn();
    const { signing } = cluster.services.emulators;
    await person.save('signing', 'api_key', signing.apiKey);
    const cookie = `user=${person.cookie('user')}`;
    const call = async (index: number): Promise<number> => {
      const origin = cluster.servers[index % 2]?.origin ?? '';
      const answer = await fetch(`${origin}/api/signing/contacts`, { headers: { cookie } });
      await answer.text();
      return answer.status;
    };
    const seen = () => signing.requests.filter(({ url }) => url.startsWith('/public/v1/contacts')).length;
    const before = seen();
    const statuses = [await call(0), await call(1)];
    // By then each has heard of the other's use.
    await delay(1_000);
    statuses.push(...(await Promise.all(Array.from({ length: 38 }, (_, index) => call(index)))));
    expect(seen() - before).toBe(10);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
