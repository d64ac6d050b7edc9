import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { register } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ env: { RATE_LIMITS: 'on' } });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe('the rate limits of three servers on one database', () => {
  it('admit 60 of 130 registrations, and report to the others how long to wait (AUTH-030, REG-015)', async () => {
    const answers = await Promise.all(Array.from({ length: 130 }, () => register(cluster)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(70);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('admit ten wrong passwords, wherever they are tried, and refuse the eleventh (AUTH-030, AUTH-020)', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 15; index += 1) {
      const browser = new PlainBrowser(cluster);
      const fields = hiddenFields(await (await browser.get('/login')).text());
      statuses.push((await browser.post('/login', { ...fields, email: ada.email, password: 'wrong' })).status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.slice(10)).toEqual(Array(5).fill(429));
  });
});
