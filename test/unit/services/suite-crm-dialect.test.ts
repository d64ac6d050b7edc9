import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operations } from '#adapters/services/suite-crm/operations.ts';
import { unzipped } from '#adapters/services/suite-crm/recipes/zip.ts';
import { rows } from '#adapters/services/suite-crm/rows.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { zipped } from '#test/emulators/suite-crm/zip-file.ts';
import { suiteCrmProvider } from '#test/support/services/providers.ts';
import { type SuiteCrmDialect, suiteCrmDialect, suiteCrmOAuth } from '#test/support/services/vendors.ts';

const record: TokenRecord = {
  userId: 1,
  service: 'suite_crm',
  authMethod: 'oauth',
  accessToken: 'a',
  refreshToken: 'r',
  scope: null,
  expiresAt: null,
  extra: {},
  updatedAt: 0,
};
const noAddresses = { url: null, authorizeUrl: null, tokenUrl: null };
const app = { clientId: 'id', clientSecret: 'secret', scopes: null };
const bytes = (text: string) => Buffer.from(text);

const answered = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  kind: 'answer' as const,
  status,
  headers,
  body: bytes(JSON.stringify(body)),
});

function refusal(status: number, body: unknown) {
  return suiteCrmDialect('neutral', null).readError(answered(status, body), body, {
    row: rows['records.create'],
    record,
  });
}

function success(
  name: keyof typeof rows,
  inputs: Readonly<Record<string, unknown>>,
  body: unknown,
  dialect: SuiteCrmDialect = 'neutral',
) {
  const answer = { row: rows[name], inputs, status: 200, headers: {}, body };
  return suiteCrmDialect(dialect, null).readSuccess(answer);
}

describe('the `code` of an error body', () => {
  it.each([
    ['INVALID_TOKEN', 401, 'unauthorized'],
    ['AUTHENTICATION_FAILURE', 400, 'unauthorized'],
    ['OAUTH_SCOPE_MISMATCH', 401, 'forbidden'],
    ['NO_PERMISSION', 403, 'forbidden'],
    ['DUPLICATE_DATA', 400, 'conflict'],
    ['ID_ALREADY_CONVERTED', 400, 'conflict'],
    ['MANDATORY_NOT_FOUND', 400, 'invalid_input'],
    ['INVALID_DATA', 400, 'invalid_input'],
    ['SYNTAX_ERROR', 400, 'invalid_input'],
    ['RESOURCE_NOT_FOUND', 404, 'not_found'],
    ['INTERNAL_ERROR', 500, 'unavailable'],
  ])('%s with %i means %s', (code, status, reason) => {
    expect(refusal(status, { code, message: 'text', details: {}, status: 'error' })?.reason).toBe(reason);
  });

  it('leaves the reason to the status if it is unknown', () => {
    expect(refusal(403, { code: 'SOMETHING_NEW', message: 'no', details: {}, status: 'error' })).toEqual({
      message: 'The suite CRM refused: no (SOMETHING_NEW).',
      details: { code: 'SOMETHING_NEW', details: {} },
    });
  });

  it('does not override the status of too many requests', () => {
    expect(refusal(429, { code: 'LIMIT_EXCEEDED', message: '', details: {}, status: 'error' })?.reason).toBeUndefined();
  });

  it('is not_found for an id that does not exist', () => {
    const body = {
      data: [{ code: 'INVALID_DATA', status: 'error', message: 'the id given seems to be invalid', details: {} }],
    };
    expect(refusal(400, body)?.reason).toBe('not_found');
  });

  it('leads to a message with the field and a remedy', () => {
    const details = { api_name: 'Last_Name', json_path: '$.data[0].Last_Name' };
    expect(refusal(400, { code: 'MANDATORY_NOT_FOUND', message: 'required field not found', details })?.message).toBe(
      'The suite CRM refused: required field not found (MANDATORY_NOT_FOUND, field Last_Name, at $.data[0].Last_Name). ' +
        'List the fields of the module to see which are mandatory.',
    );
  });

  it('is ignored in a body that is not an error of the provider', () => {
    expect(refusal(502, '<html>')).toBeNull();
    expect(refusal(502, null)).toBeNull();
  });
});

describe('the envelope of an answer', () => {
  it.each([
    ['records.get', { data: [{ id: '1' }] }, { id: '1' }],
    ['organization.get', { org: [{ id: '7' }] }, { id: '7' }],
    ['bulk.get', { data: [{ id: '5', state: 'ADDED' }] }, { id: '5', state: 'ADDED' }],
    ['modules.list', { modules: [{ api_name: 'Deals' }] }, [{ api_name: 'Deals' }]],
    ['users.list', { users: [{ id: '1' }], info: { more_records: false } }, [{ id: '1' }]],
    ['emails.list', { Emails: [{ message_id: '1' }], info: {} }, [{ message_id: '1' }]],
  ] as const)('is removed: %s %j', (name, body, data) => {
    expect(success(name, {}, body)).toMatchObject({ ok: true, data });
  });

  it('is not taken for an error if a record has fields called code and status', () => {
    const odd = { id: '1', code: 'X', status: 'error', message: 'mine' };
    expect(success('records.list', {}, { data: [odd] })).toMatchObject({ ok: true, data: [odd] });
  });

  it('of a refused deletion is a failure', () => {
    const body = { watch: [{ code: 'NOT_SUBSCRIBED', status: 'error', message: 'no', details: {} }] };
    expect(success('watch.delete', { channel_ids: ['1'] }, body)).toMatchObject({ ok: false, reason: 'rejected' });
  });
});

describe('paging by `page`, `per_page` and `info.more_records`', () => {
  const info = (more: object) => ({ data: [{ id: '1' }], info: { per_page: 200, more_records: true, ...more } });

  it.each([
    ['neutral', info({ page: 3 }), '4'],
    ['neutral', info({ page: 10, next_page_token: 't' }), '11'],
    ['zoho', info({ page: 3, next_page_token: 't' }), '4'],
    ['zoho', info({ page: 10, next_page_token: 't' }), 'token:t'],
    ['zoho', info({ page: 10, next_page_token: null }), null],
  ] as const)('continues %s %j at %j (SUITE-005)', (dialect, body, next) => {
    expect(success('records.list', {}, body, dialect)).toMatchObject({ pagination: { next, hasMore: true } });
  });

  it.each([
    ['token:a', { page: 1, next_page_token: 'b' }, 'token:b'],
    ['token:a', { page: 12, next_page_token: 'b' }, 'token:b'],
    ['token:a', { page: 1 }, null],
    ['token:a', { page: 1, next_page_token: 'a' }, null],
    ['index:a', { page: 1, next_index: 'b' }, 'index:b'],
    ['index:a', { page: 1 }, null],
    ['index:a', { page: 1, next_index: 'a' }, null],
  ] as const)('never returns to a page number after %s: %j (SUITE-011)', (page, more, next) => {
    expect(success('records.list', { page }, info(more), 'zoho')).toMatchObject({ pagination: { next } });
  });

  it('takes an answer without its page for the requested page', () => {
    expect(success('records.list', { page: '5' }, info({}))).toMatchObject({ pagination: { next: '6' } });
  });

  it('ends where there is no more', () => {
    const body = { data: [{ id: '1' }], info: { page: 1, per_page: 200, more_records: false } };
    expect(success('records.list', {}, body)).toMatchObject({ pagination: { next: null, hasMore: false } });
  });
});

describe('the rate limits of the suite CRM', () => {
  const dialect = suiteCrmDialect('neutral', null);
  const of = (extra: TokenRecord['extra']) => {
    const kept = { ...record, extra };
    return [dialect.concurrency?.(kept), dialect.budgets?.(rows['users.list'], kept, {})[0]?.points];
  };

  it.each([
    [{}, 5, 5_000],
    [{ plan: 'free', users: 50 }, 5, 5_000],
    [{ plan: 'standard', users: 10 }, 10, 52_500],
    [{ plan: 'standard', users: 1_000 }, 10, 100_000],
    [{ plan: 'Professional', users: 10 }, 15, 55_000],
    [{ plan: 'enterprise', users: 10 }, 20, 60_000],
    [{ plan: 'ultimate' }, 25, 51_000],
    [{ plan: 'unheard of' }, 5, 5_000],
  ])('for %j are %i at once, %i credits in 24 hours (LIMIT-004, LIMIT-009)', (extra, atOnce, credits) => {
    expect(of(extra)).toEqual([atOnce, credits]);
  });

  it.each([
    [{}, 5_000_000],
    [{ plan: 'enterprise' }, 5_000_000],
    [{ users: 10 }, 5_000_000],
    [{ plan: 'enterprise', users: 10 }, 60_000],
    [{ plan: 'free' }, 5_000],
  ])("for %j in the vendor's dialect are %i credits, which its headers correct (LIMIT-014)", (extra, credits) => {
    expect(suiteCrmDialect('zoho', null).budgets?.(rows['users.list'], { ...record, extra }, {})).toMatchObject([
      { name: 'credits', points: credits },
    ]);
  });

  it('are corrected by the headers (LIMIT-006)', () => {
    const read = (headers: Readonly<Record<string, string>>) => dialect.readBudgets?.(answered(200, {}, headers));
    const left = { name: 'credits', remaining: 17, resetsInMs: null };
    expect(read({ 'x-ratelimit-remaining': '17' })).toEqual([{ ...left, limit: null }]);
    expect(read({ 'x-ratelimit-remaining': '17', 'x-ratelimit-limit': '90000' })).toEqual([{ ...left, limit: 90_000 }]);
    const credits = { 'x-api-credits-remaining': '9', 'x-ratelimit-limit': '90000' };
    expect(read(credits)).toMatchObject([{ remaining: 9, limit: null }]);
    expect(read({ 'x-ratelimit-remaining': 'many' })).toEqual([]);
    const later = read({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(Date.now() + 3_600_000) });
    expect(later?.[0]?.resetsInMs).toBeGreaterThan(3_000_000);
  });
});

describe('OAuth of the suite CRM', () => {
  const question = { app, redirectUri: 'https://us.example/cb', extra: {} };
  const neutral = suiteCrmOAuth('neutral', noAddresses);
  const own = suiteCrmOAuth('zoho', noAddresses);

  it('sends exactly the parameters of the table (RENEW-001, SUITE-008, CONN-004, SUITE-010)', () => {
    expect(neutral.authorizationParameters(question)).toEqual({
      response_type: 'code',
      client_id: 'id',
      scope: 'ZohoCRM.modules.ALL,ZohoCRM.settings.ALL,ZohoCRM.users.ALL,ZohoCRM.coql.READ,ZohoCRM.bulk.ALL',
      redirect_uri: 'https://us.example/cb',
      access_type: 'offline',
    });
    expect(neutral.exchangeFields({ ...question, code: 'c', callback: {} })).toEqual({
      grant_type: 'authorization_code',
      client_id: 'id',
      client_secret: 'secret',
      code: 'c',
      redirect_uri: 'https://us.example/cb',
    });
    expect(neutral.refreshFields(app, 'r')).toEqual({
      grant_type: 'refresh_token',
      client_id: 'id',
      client_secret: 'secret',
      refresh_token: 'r',
    });
    expect([neutral.needsRefreshToken, neutral.renewEveryMs, neutral.hasPkce]).toEqual([true, 3_000_000, false]);
  });

  it("requests a refresh token again in the vendor's dialect, and the scopes that the table lacks", () => {
    const parameters = own.authorizationParameters(question);
    expect(parameters['prompt']).toBe('consent');
    expect(parameters['scope']).toMatch(
      /ZohoCRM\.notifications\.ALL,ZohoCRM\.org\.READ,ZohoCRM\.send_mail\.all\.CREATE$/,
    );
  });

  it('has no address while none is set, and fills the data centre into a configured one', () => {
    expect([neutral.authorizeUrl({}), neutral.tokenUrl({})]).toEqual([null, null]);
    const set = suiteCrmOAuth('neutral', { ...noAddresses, tokenUrl: 'https://accounts-{data_center}.example/token' });
    expect(set.tokenUrl({ data_center: 'AU' })).toBe('https://accounts-au.example/token');
  });

  it.each([
    [{}, {}, 'https://accounts.zoho.com/oauth/v2/token'],
    [{ data_center: 'IN' }, {}, 'https://accounts.zoho.in/oauth/v2/token'],
    [{ data_center: 'US' }, { location: 'eu' }, 'https://accounts.zoho.eu/oauth/v2/token'],
    [{}, { 'accounts-server': 'https://accounts.zohocloud.ca' }, 'https://accounts.zohocloud.ca/oauth/v2/token'],
    [{}, { 'accounts-server': 'https://accounts.zoho.com.evil.example' }, 'https://accounts.zoho.com/oauth/v2/token'],
    [{}, { 'accounts-server': 'https://evil.example', location: 'evil' }, 'https://accounts.zoho.com/oauth/v2/token'],
  ])('sends the client secret, with %j and the callback %j, to %s', (extra, callback, address) => {
    expect(own.tokenUrl(extra, callback)).toBe(address);
  });

  it.each([
    ['US', 'com', 'com'],
    ['EU', 'eu', 'eu'],
    ['IN', 'in', 'in'],
    ['AU', 'com.au', 'com.au'],
    ['JP', 'jp', 'jp'],
    ['CA', 'ca', null],
    ['CN', 'com.cn', 'com.cn'],
    ['SA', 'sa', 'sa'],
    ['UK', 'uk', 'uk'],
    ['AE', 'ae', 'ae'],
  ])('knows the data centre %s by its name, its accounts server and its API (SUITE-006)', (name, api, zone) => {
    const accounts = zone === null ? 'https://accounts.zohocloud.ca' : `https://accounts.zoho.${zone}`;
    const token = `${accounts}/oauth/v2/token`;
    expect(own.tokenUrl({}, { location: name.toLowerCase() })).toBe(token);
    expect(own.tokenUrl({}, { 'accounts-server': accounts })).toBe(token);
    expect(own.tokenUrl({ api_domain: `https://www.zohoapis.${api}` })).toBe(token);
    expect(own.keptExtra?.({}, { 'accounts-server': accounts })).toEqual({ data_center: name });
    expect(own.authorizeUrl({ data_center: name })).toBe(`${accounts}/oauth/v2/auth`);
  });

  it('prefers the data centre of the callback to that of the address, and that to the chosen one', () => {
    const extra = { api_domain: 'https://crm.acme.example', data_center: 'US', plan: 'standard' };
    expect(own.keptExtra?.(extra, { location: 'eu' })).toEqual({ ...extra, data_center: 'EU' });
    expect(own.keptExtra?.(extra, { 'accounts-server': 'https://evil.example', location: 'evil' })).toEqual(extra);
    expect(own.keptExtra?.({ api_domain: 'https://www.zohoapis.jp' }, {})).toMatchObject({ data_center: 'JP' });
    expect(own.keptExtra?.({}, {})).toEqual({ data_center: 'US' });
    expect(
      own.readTokens({ access_token: 'b', api_domain: 'https://www.zohoapis.in' }, { ...record, extra })?.extra,
    ).toEqual({
      api_domain: 'https://www.zohoapis.in',
    });
  });

  it('knows the accounts servers of addresses that are set by their template', () => {
    const set = suiteCrmOAuth('neutral', { ...noAddresses, tokenUrl: 'https://accounts-{data_center}.example/token' });
    const callback = { 'accounts-server': 'https://accounts-uk.example' };
    expect(set.tokenUrl({}, callback)).toBe('https://accounts-uk.example/token');
    expect(set.tokenUrl({}, { 'accounts-server': 'https://accounts-uk.evil.example' })).toBe(
      'https://accounts-us.example/token',
    );
  });

  it('does not treat an error from another data centre than the grant’s as final', () => {
    const error = { error: 'invalid_code' };
    const of = (extra: TokenRecord['extra']) => ({ ...record, extra });
    expect(own.isRefused(200, error, of({ api_domain: 'https://crm.acme.example' }))).toBe(false);
    expect(own.isRefused(200, error, of({ api_domain: 'https://www.zohoapis.eu' }))).toBe(true);
    expect(own.isRefused(200, error, of({ data_center: 'AE' }))).toBe(true);
    expect(own.isRefused(200, { error: 'access_denied' }, of({}))).toBe(true);
    const one = suiteCrmOAuth('neutral', { ...noAddresses, tokenUrl: 'https://accounts.example/token' });
    expect(one.isRefused(200, error, of({}))).toBe(true);
  });

  it('reads the tokens, the address and its data centre', () => {
    const body = {
      access_token: 'a',
      refresh_token: 'r',
      scope: 'ZohoCRM.modules.ALL ZohoCRM.users.ALL',
      api_domain: 'https://www.zohoapis.eu',
      token_type: 'Bearer',
      expires_in: 3600,
    };
    expect(own.readTokens(body, null)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      scope: 'ZohoCRM.modules.ALL,ZohoCRM.users.ALL',
      expiresInS: 3600,
      extra: { api_domain: 'https://www.zohoapis.eu', data_center: 'EU' },
    });
  });

  it('keeps the address when a renewal does not name it', () => {
    expect(own.readTokens({ access_token: 'b', expires_in: 3600 }, record)).toEqual({
      accessToken: 'b',
      refreshToken: null,
      scope: null,
      expiresInS: 3600,
      extra: {},
    });
  });

  it.each([
    ['invalid_code', true],
    ['access_denied', true],
    ['invalid_client', false],
    ['Access Denied', false],
  ])('finds no tokens in HTTP 200 with the error %s; the grant is lost: %s', (error, isGone) => {
    expect(own.readTokens({ error }, record)).toBeNull();
    expect(own.isRefused(200, { error })).toBe(isGone);
  });
});

describe('what a user may enter for a connection', () => {
  const may = (extra: object, url: string | null = null) =>
    suiteCrmProvider({ ...noAddresses, url, dialect: 'zoho' }).extra?.safeParse(extra).success;

  it.each([
    [{ api_domain: 'https://www.zohoapis.in', data_center: 'IN', plan: 'standard', users: 4 }, true],
    [{ api_domain: 'https://sandbox.zohoapis.eu' }, true],
    [{ api_domain: 'https://169.254.169.254' }, false],
    [{ api_domain: 'http://www.zohoapis.com' }, false],
    [{ api_domain: 'https://www.zohoapis.com.evil.example' }, false],
    [{ data_center: 'MOON' }, false],
    [{ surprise: true }, false],
  ])('is checked, %j: %s', (extra, is) => {
    expect(may(extra)).toBe(is);
  });

  it('includes the configured address', () => {
    expect(may({ api_domain: 'http://crm.lan/eu' }, 'http://crm.lan')).toBe(true);
  });
});

describe('the API address in a token answer', () => {
  const set = 'https://crm.example';
  const at = (api_domain: string, url: string | null) =>
    suiteCrmDialect('neutral', url).baseUrl({ ...record, extra: { api_domain } });

  it.each<[string, string | null, string | null]>([
    ['https://eu.crm.example/', set, 'https://eu.crm.example'],
    ['https://eu.crm.example', null, 'https://eu.crm.example'],
    ['http://crm.example', set, set],
    ['http://127.0.0.1:8080', set, set],
    ['http://localhost:8080', set, set],
    ['http://127.0.0.1:8080', null, null],
    ['http://crm.lan:81', 'http://crm.lan', 'http://crm.lan:81'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081', 'http://127.0.0.1:8080'],
    ['http://other.lan', 'http://crm.lan', 'http://crm.lan'],
    ['https://good.example@evil.example', set, set],
    ['https://evil.example?x=', set, set],
    ['https://evil.example#', set, set],
    ['nothing', set, set],
  ])('%s where %s is configured means %s', (api, url, expected) => expect(at(api, url)).toBe(expected));
});

describe('an archive is unpacked while it is read', () => {
  const pieces = (whole: Uint8Array, size: number) =>
    (async function* () {
      for (let at = 0; at < whole.byteLength; at += size) yield whole.subarray(at, at + size);
    })();
  const read = async (whole: Uint8Array, size = 7) =>
    Buffer.concat(await Readable.from(unzipped(pieces(whole, size))).toArray()).toString();
  const csv = `id,Name\n${'1,"Ä"\n'.repeat(5_000)}`;
  const packed = async () => Buffer.concat(await Readable.from(zipped('a.csv', pieces(bytes(csv), 999))).toArray());

  it.each([1, 7, 64, 100_000])('in pieces of %i bytes', async (size) => {
    expect(await read(await packed(), size)).toBe(csv);
  });

  it('and anything but an archive stays unchanged', async () => {
    expect(await read(bytes(csv))).toBe(csv);
    expect(await read(bytes('id'))).toBe('id');
    expect(await read(bytes(''))).toBe('');
  });

  it('also if a file is stored without compression', async () => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt32LE(5, 18);
    head.writeUInt16LE(1, 26);
    expect(await read(Buffer.concat([head, bytes('a'), bytes('hello'), bytes('PK and more')]))).toBe('hello');
  });

  it('and fails if it is cut off', async () => {
    const whole = await packed();
    await expect(read(whole.subarray(0, 60))).rejects.toThrow();
    await expect(read(whole.subarray(0, 20))).rejects.toThrow('cut short');
  });

  it('and is refused if it is encrypted or packed in another way', async () => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(1, 6);
    await expect(read(Buffer.concat([head, deflateRawSync('x')]))).rejects.toThrow('encrypted');
    head.writeUInt16LE(0, 6);
    head.writeUInt16LE(12, 8);
    await expect(read(head)).rejects.toThrow('method 12');
  });
});

describe('a note and a query are prepared before they are sent', () => {
  it('except for a query text with a limit of its own', async () => {
    const sent: unknown[] = [];
    const call = async (_: string, input: unknown) => {
      sent.push(input);
      return { ok: true, data: [] } as const;
    };
    const own = operations['coql.query'].input.parse({ query: 'select id from Deals where id is not null limit 5' });
    const context = { connection: { id: '1', extra: {} }, send: () => call('', {}) };
    await operations['coql.query'].run(call, own, context);
    const plain = operations['coql.query'].input.parse({
      query: 'select id from Deals where id is not null',
      offset: '400',
    });
    await operations['coql.query'].run(call, plain, context);
    expect(sent).toEqual([
      { select_query: 'select id from Deals where id is not null limit 5' },
      { select_query: 'select id from Deals where id is not null limit 200 offset 400' },
    ]);
  });
});
