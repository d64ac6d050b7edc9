import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { allServices } from '#bootstrap/services.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import {
  salesCrmProvider,
  signingProvider,
  suiteCrmProvider,
  trackerProvider,
} from '#test/support/services/providers.ts';
import { suiteCrmOAuth } from '#test/support/services/vendors.ts';

type Reply = Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: unknown }>;

/** What the vendors do in their own way. The requests go to a server that answers as a test says. */
describe('a vendor', () => {
  let server: LoopbackServer;
  let http: HttpClient;
  let seen: string[];
  let replies: Reply[];

  beforeEach(async () => {
    seen = [];
    replies = [];
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''} ${await text(request)}`.trim());
      const { status = 200, headers = {}, body = {} } = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    server = await serveOnLoopback((request, response) => void take(request, response));
    http = new HttpClient(() => 0);
  });
  afterEach(async () => {
    http.close();
    await server.close();
  });

  const none = { authorizeUrl: null, tokenUrl: null };
  const providers = () => ({
    pipedrive: salesCrmProvider({ dialect: 'pipedrive', url: server.url, ...none }),
    pandadoc: signingProvider({ dialect: 'pandadoc', url: server.url, ...none }),
    zoho: suiteCrmProvider({ dialect: 'zoho', url: server.url, ...none }),
    linear: trackerProvider({ dialect: 'linear', url: server.url, ...none }),
  });
  const call = (provider: Provider, name: string, input: object, extra = {}, authMethod: AuthMethod = 'oauth') =>
    operationsOver({
      providers: [provider],
      http,
      tokens: tokensOf(provider, extra, authMethod),
    }).call({ userId: 1, service: provider.service, name, input });
  const tokensOf = ({ service }: Provider, extra: object, authMethod: AuthMethod) => {
    const record = tokenRecord(service, { authMethod, accessToken: 'the-access-token', extra: { ...extra } });
    return {
      find: async () => ({ ok: true, value: record }) as const,
      renew: async () => ({ ok: true, value: record }) as const,
    };
  };

  describe('a vendor that limits requests without Retry-After (LIMIT-016)', () => {
    const inAnHour = 3_600_000;
    it.each<[string, 'pipedrive' | 'pandadoc' | 'zoho', Reply, number]>([
      [
        'Pipedrive, by the reset of its burst',
        'pipedrive',
        { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' } },
        90_000,
      ],
      [
        'Pipedrive, by a burst that is not used up: its tokens are',
        'pipedrive',
        { headers: { 'x-ratelimit-remaining': '17' } },
        inAnHour,
      ],
      [
        'PandaDoc, by its text',
        'pandadoc',
        { body: { type: 'throttled', detail: 'Request was throttled. Expected available in 113 seconds.' } },
        113_000,
      ],
    ])('is asked once, and its wait is passed on: %s', async (_, name, reply, waitMs) => {
      replies = [{ status: 429, ...reply }];
      const [operation, input] = name === 'pandadoc' ? ['documents.get', { id: 'a' }] : ['deals.get', { id: 7 }];
      const outcome = await call(providers()[name], operation, input);
      expect(outcome).toMatchObject({ ok: false, reason: 'rate_limited', retryAfterMs: waitMs });
      expect(seen).toHaveLength(1);
    });

    it('is asked again after its own wait if that is short', async () => {
      replies = [
        { status: 429, body: { detail: 'Request was throttled. Expected available in 0 seconds.' } },
        { body: { id: 'a', name: 'Offer', status: 'document.draft' } },
      ];
      expect(await call(providers().pandadoc, 'documents.get', { id: 'a' })).toMatchObject({ ok: true });
      expect(seen).toHaveLength(2);
    });

    it('waits until Zoho’s credits are there again, and Pipedrive’s daily requests at midnight', async () => {
      const resetsAt = Date.now() + 5_000_000;
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${resetsAt}` };
      replies = [{ status: 429, headers, body: { code: 'TOO_MANY_REQUESTS', message: 'x', status: 'error' } }];
      const zoho = await call(providers().zoho, 'users.list', {});
      expect(zoho.ok ? 0 : zoho.retryAfterMs).toBeGreaterThan(4_900_000);
      replies = [{ status: 429, headers: { 'x-daily-requests-left': '0' } }];
      const pipedrive = await call(providers().pipedrive, 'deals.get', { id: 7 });
      expect(pipedrive.ok ? 0 : pipedrive.retryAfterMs).toBeGreaterThan(0);
      expect(pipedrive.ok ? 0 : pipedrive.retryAfterMs).toBeLessThanOrEqual(86_400_000);
      expect(seen).toHaveLength(2);
    });

    it.each([{}, { 'retry-after': '0' }])(
      'is asked up to five times if it states no wait, or none: %j',
      async (headers) => {
        replies = [{ status: 429, headers: { ...headers } }];
        expect(await call(providers().pipedrive, 'deals.get', { id: 7 })).toMatchObject({ reason: 'rate_limited' });
        expect(seen).toHaveLength(5);
      },
    );
  });

  describe('the limits of PandaDoc (LIMIT-015)', () => {
    const pointsOf = (name: string, extra: object, authMethod: AuthMethod = 'api_key') => {
      const { operations, dialect } = providers().pandadoc;
      const row = operations[name];
      if (row?.kind !== 'request') throw new Error(`${name} is no request`);
      const record = tokenRecord('signing', { authMethod, extra: { ...extra } });
      return dialect.budgets?.(row, record, { template_uuid: 'x' }).map(({ points }) => points);
    };
    it('are per minute and endpoint in production', () => {
      const names = ['documents.list', 'documents.get', 'documents.delete', 'documents.create', 'documents.send'];
      expect(names.map((name) => pointsOf(name, { plan: 'production' }))).toEqual([
        [2000],
        [2000],
        [2000],
        [500],
        [400],
      ]);
      expect(pointsOf('documents.list', {}, 'oauth')).toEqual([2000]);
      expect(pointsOf('contacts.list', {}, 'oauth')).toEqual([]);
    });
    it('are lower for a sandbox key, and there are none for a key of which nothing is known', () => {
      expect(pointsOf('contacts.list', { plan: 'sandbox' })).toEqual([10]);
      expect(pointsOf('documents.list', {})).toEqual([]);
    });
  });

  it('that refuses a duplicate names the record that is there: Zoho (SUITE-012)', async () => {
    const details = { api_name: 'Email', duplicate_record: { id: '4711', module: 'Contacts' } };
    const refused = { code: 'DUPLICATE_DATA', message: 'duplicate data', status: 'error' };
    replies = [{ status: 202, body: { data: [{ ...refused, details }] } }];
    const create = { module: 'Contacts', data: [{ Email: 'ann@example.com' }] };
    const message = /duplicate data \(DUPLICATE_DATA, field Email, existing record 4711\)/;
    expect(await call(providers().zoho, 'records.create', create)).toMatchObject({
      reason: 'conflict',
      message: expect.stringMatching(message),
    });
    replies = [{ status: 400, body: { ...refused, details: { id: '4712' } } }];
    const second = await call(providers().zoho, 'records.create', create);
    expect(second.ok ? '' : second.message).toContain('existing record 4712');
  });

  it('is not sent an update that changes nothing (SIGN-011)', async () => {
    const { pandadoc } = providers();
    for (const [name, input] of [
      ['documents.update', { id: 'a' }],
      ['recipients.update', { id: 'a', rid: 'b' }],
      ['quotes.update', { id: 'a', qid: 'b' }],
    ] as const) {
      expect(await call(pandadoc, name, input)).toMatchObject({
        reason: 'invalid_input',
        message: expect.stringContaining('something to change'),
      });
    }
    expect(seen).toEqual([]);
    expect((await call(pandadoc, 'documents.update', { id: 'a', name: 'Offer' })).ok).toBe(true);
    expect(seen).toEqual(['PATCH /public/v1/documents/a {"name":"Offer"}']);
  });

  it('of the sales CRM, Pipedrive, has no custom fields of activities (SALES-018)', async () => {
    const { pipedrive } = providers();
    const key = 'a'.repeat(40);
    for (const more of [{ custom_fields: { [key]: 1 } }, { [key]: 1 }]) {
      for (const [name, input] of [
        ['activities.create', { subject: 'Call', ...more }],
        ['activities.update', { id: 7, ...more }],
      ] as const)
        expect(await call(pipedrive, name, input)).toMatchObject({ reason: 'invalid_input' });
    }
    expect(seen).toEqual([]);
    const { operations } = catalogOf([pipedrive]);
    const schema = JSON.stringify(operations.find(({ name }) => name === 'activities.create')?.inputSchema);
    expect(schema).toContain('subject');
    expect(schema).not.toContain('custom');
    expect((await call(pipedrive, 'deals.create', { title: 'Acme', [key]: 1 })).ok).toBe(true);
  });

  it('of the tracker, Linear, moves an archived project to its bin (TRACK-011)', async () => {
    replies = [{ body: { data: { projectDelete: { success: true, entity: { id: 'p', name: 'App' } } } } }];
    const id = '0f3c4f6e-0000-4000-8000-000000000000';
    expect(await call(providers().linear, 'projects.archive', { id })).toMatchObject({
      ok: true,
      data: { name: 'App' },
    });
    expect(seen[0]).toContain('mutation projectDelete($id: String!)');
  });

  it('whose OAuth says that there were too many requests is tried again ten minutes later: Zoho (RENEW-011)', () => {
    const oauth = suiteCrmOAuth('zoho', { tokenUrl: 'https://accounts.example/token' });
    const lost = { error: 'access_denied', error_description: 'The user has revoked the access.' };
    const many = { error: 'access_denied', error_description: 'You have made too many requests continuously.' };
    expect([oauth.isRefused(200, lost), oauth.isRefused(200, { error: 'access_denied' })]).toEqual([true, true]);
    expect(oauth.impliedWaitMs?.(lost)).toBeNull();
    expect([oauth.isRefused(400, many), oauth.impliedWaitMs?.(many)]).toEqual([false, 600_000]);
    expect(oauth.isRefused(200, { error: 'Access Denied', error_description: 'too many requests' })).toBe(false);
    expect(oauth.isRefused(200, { error: 'invalid_code' })).toBe(true);
  });

  it('of the suite CRM takes no token of more than 50 characters, as the start says (HOOK-027)', () => {
    const read = (token: string) => () => readSettings({ SUITE_CRM_WEBHOOK_TOKEN: token }, allServices);
    expect(read(`${'a'.repeat(50)},${'b'.repeat(50)}`)).not.toThrow();
    expect(read(`ok,${'a'.repeat(51)}`)).toThrow('SUITE_CRM_WEBHOOK_TOKEN: must have at most 50 characters');
  });
});
