import { beforeEach, describe, expect, it } from 'vitest';
import { RunOperation } from '#application/operations/run-operation.ts';
import { noOperationMetrics } from '#application/ports/operation-metrics.ts';
import type { OutboundRequest, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import type { Credentials } from '#test/support/services/operations-over.ts';

const old = tokenRecord('tracker', { accessToken: 'old' });
const call = { userId: 1, service: 'tracker', name: 'teams.list', input: {} } as const;

/** The tokens that were sent, and what was reported about them. */
let sent: string[];
let reported: string[];
let renewals: number;
/** The tokens that the provider takes. */
let taken: readonly string[];

beforeEach(() => {
  sent = [];
  reported = [];
  renewals = 0;
  taken = ['new'];
});

const request = (canBeSentAgain = true): OutboundRequest => ({
  canBeSentAgain,
  send: async ({ accessToken }) => {
    sent.push(accessToken);
    return taken.includes(accessToken) ? succeeded(accessToken) : failed('unauthorized', 'The provider says no.');
  },
});

/** An operation that takes these requests, one after the other, and ends at the first that fails. */
const gatewayOf = (requests: readonly OutboundRequest[]): ServiceGateway => ({
  prepare: ({ input }) =>
    input === null
      ? err(failed('invalid_input', 'There is no input.'))
      : ok({
          run: async (_, send) => {
            let last: Outcome = succeeded(null);
            for (const one of requests) {
              last = await send(one);
              if (!last.ok) return last;
            }
            return last;
          },
        }),
  prepareUndo: () => err(failed('invalid_input', 'Nothing is taken back here.')),
});

const credentials = (change: Partial<Credentials> = {}) => ({
  find: async () => ok(old),
  renew: async (refused: TokenRecord) => {
    renewals += 1;
    return ok({ ...refused, accessToken: 'new' });
  },
  worked: async ({ accessToken }: TokenRecord) => void reported.push(`${accessToken} worked`),
  refused: async ({ accessToken }: TokenRecord) => void reported.push(`${accessToken} refused`),
  ...change,
});

const operations = (requests: readonly OutboundRequest[], change: Partial<Credentials> = {}) =>
  new RunOperation({
    gateway: gatewayOf(requests),
    accessTokens: credentials(change),
    catalog: fakeCatalog,
    metrics: noOperationMetrics,
    clock: { now: () => 0 },
  });

describe('a call whose credentials are refused', () => {
  it('is repeated once with renewed ones, which are reported as working', async () => {
    expect(await operations([request()]).call(call)).toEqual(succeeded('new'));
    expect([sent, reported, renewals]).toEqual([['old', 'new'], ['new worked'], 1]);
  });

  it('uses the renewed ones for its later requests, without another renewal', async () => {
    await operations([request(), request(), request()]).call(call);
    expect([sent, renewals]).toEqual([['old', 'new', 'new', 'new'], 1]);
  });

  it('repeats only the request that was refused', async () => {
    taken = ['old', 'new'];
    const first = request();
    const second: OutboundRequest = {
      canBeSentAgain: true,
      send: (record) => {
        taken = ['new'];
        return request().send(record);
      },
    };
    expect(await operations([first, second]).call(call)).toEqual(succeeded('new'));
    expect(sent).toEqual(['old', 'old', 'new']);
  });

  it('fails with the reason why there are no renewed ones', async () => {
    const failure = failed('unauthorized', 'Connect it again.');
    expect(await operations([request()], { renew: async () => err(failure) }).call(call)).toEqual({
      ...failure,
      sent: 'yes',
    });
    expect([sent, reported]).toEqual([['old'], []]);
  });

  it('is not repeated when it carried a stream, but the credentials are renewed', async () => {
    expect(await operations([request(false)]).call(call)).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('Tracker refused the access token, which has now been renewed'),
      retryAfterMs: 0,
    });
    expect([sent, renewals]).toEqual([['old'], 1]);
  });

  it("reports renewed ones that are refused as well, with the provider's words", async () => {
    taken = [];
    expect(await operations([request()]).call(call)).toMatchObject({ message: 'The provider says no.' });
    expect([sent, reported]).toEqual([['old', 'new'], ['new refused']]);
  });
});

describe('a call', () => {
  it.each(['forbidden', 'not_found', 'rate_limited', 'unavailable'] as const)(
    'that fails as %s renews nothing and changes nothing about the connection',
    async (reason) => {
      const failing = { canBeSentAgain: true, send: async () => failed(reason, 'It failed.') };
      expect(await operations([failing]).call(call)).toMatchObject({ reason });
      expect([reported, renewals]).toEqual([[], 0]);
    },
  );

  it('with invalid input fails before its connection is looked for', async () => {
    let looked = 0;
    const find: Credentials['find'] = async () => {
      looked += 1;
      return err(failed('not_connected', 'You are not connected.'));
    };
    expect(await operations([request()], { find }).call({ ...call, input: null })).toMatchObject({
      reason: 'invalid_input',
    });
    expect(looked).toBe(0);
    expect(await operations([request()], { find }).call(call)).toMatchObject({ reason: 'not_connected' });
    expect(sent).toEqual([]);
  });

  it('is counted by its service and its result', async () => {
    const counted: string[] = [];
    const metrics = { called: (service: string, outcome: Outcome) => void counted.push(`${service} ${outcome.ok}`) };
    const parts = { gateway: gatewayOf([request()]), catalog: fakeCatalog, metrics, clock: { now: () => 0 } };
    await new RunOperation({ ...parts, accessTokens: credentials() }).call(call);
    taken = [];
    await new RunOperation({ ...parts, accessTokens: credentials() }).call(call);
    expect(counted).toEqual(['tracker true', 'tracker false']);
  });
});
