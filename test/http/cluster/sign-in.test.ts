import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callback, codeFor, exchange, registered, vector } from '#test/support/authorization/auth-flow.ts';
import { rounds } from '#test/support/form.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

const times = rounds(6, 100);
const tokenSchema = z.object({ access_token: z.string() });
const calledSchema = z.object({ result: z.object({ content: z.array(z.object({ text: z.string() })) }) });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ env: { RATE_LIMITS: 'off' } });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const challenged = { code_challenge: vector.challenge, code_challenge_method: 'S256' };

/** From a registration to the first call of a tool; each of the seven requests goes to another server than the one before. */
async function firstCall(): Promise<string> {
  const client = await registered(cluster);
  const code = await codeFor(cluster, client, challenged);
  const answer = await exchange(cluster, { code, client_id: client.client_id, code_verifier: vector.verifier });
  const { access_token: token } = tokenSchema.parse(await answer.json());
  const called = await fetch(`${cluster.origin}/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'vault_vault_list', arguments: {} },
    }),
  });
  const { result } = calledSchema.parse(await called.json());
  return result.content[0]?.text ?? '';
}

describe('three servers of one database, used in turn', () => {
  it(`sign in ${times} of ${times} clients, from the registration to the first call (SET-021)`, async () => {
    const before = cluster.proxy.counts();
    for (let index = 0; index < times; index += 1) expect(await firstCall()).not.toBe('');
    const after = cluster.proxy.counts();
    for (const [index, count] of after.entries()) expect(count - (before[index] ?? 0)).toBeGreaterThanOrEqual(times);
  });

  it(`connect ${times} of ${times} times, with the callback at another server than the start (CONN-022)`, async () => {
    const person = await cluster.signIn();
    for (let index = 0; index < times; index += 1) await person.connect('suite_crm');
    expect(JSON.stringify(await person.call('GET', '/api/connections'))).toContain('"service":"suite_crm"');
  });

  it('issue a token to one of fifty concurrent exchanges of one code, at all servers (CODE-004)', async () => {
    const client = await registered(cluster);
    for (let round = 0; round < rounds(2, 10); round += 1) {
      const code = await codeFor(cluster, client, challenged);
      const fields = { code, client_id: client.client_id, redirect_uri: callback, code_verifier: vector.verifier };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          exchange({ origin: cluster.servers[index % cluster.servers.length]?.origin ?? '' }, fields),
        ),
      );
      const reasons = await Promise.all(answers.map(async (answer) => z.looseObject({}).parse(await answer.json())));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(reasons.filter(({ reason }) => reason === 'invalid_code')).toHaveLength(49);
    }
  });

  it('revoke a token on all of them when its code is used again at another (CODE-011)', async () => {
    const client = await registered(cluster);
    const [first, second] = cluster.servers.map(({ origin }) => ({ origin }));
    const code = await codeFor(cluster, client, challenged);
    const fields = { code, client_id: client.client_id, code_verifier: vector.verifier };
    const answer = await exchange(first ?? cluster, fields);
    const { access_token: token } = tokenSchema.parse(await answer.json());
    const statuses = () =>
      Promise.all(
        cluster.servers.map(async ({ origin }) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await fetch(`${origin}/openapi.json`, { headers })).status;
        }),
      );
    await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 200, 200]);
    const stolen = await exchange(second ?? cluster, { ...fields, code_verifier: 'x'.repeat(43) });
    expect(await stolen.json()).toMatchObject({ reason: 'invalid_code' });
    await expect.poll(statuses, { timeout: 20_000 }).toEqual([401, 401, 401]);
  });

  it('know a client after they were all restarted, and a code, too (SET-021)', async () => {
    const client = await registered(cluster);
    const code = await codeFor(cluster, client);
    for (const server of cluster.servers) await server.stop();
    for (const server of cluster.servers) await server.start();
    expect((await exchange(cluster, { code, client_id: client.client_id })).status).toBe(200);
  });
});
