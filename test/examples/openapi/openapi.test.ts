import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allServices } from '#bootstrap/services.ts';
import { codeHost, codeHostUploads } from '#test/examples/openapi/code-host.ts';
import { type InnerServer, startCodeHost, startTrainTravel } from '#test/examples/openapi/providers.ts';
import { trainTravel } from '#test/examples/openapi/train-travel.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let trains: InnerServer;
let host: InnerServer;
let server: WholeServer;
let browser: PlainBrowser;

beforeAll(async () => {
  [trains, host] = await Promise.all([startTrainTravel(), startCodeHost()]);
  const settings = {
    TRAIN_TRAVEL_URL: trains.url,
    TRAIN_TRAVEL_CLIENT_ID: 'portolan',
    TRAIN_TRAVEL_CLIENT_SECRET: 'app-secret',
    TRAIN_TRAVEL_AUTHORIZE_URL: `${trains.url}/authorize`,
    TRAIN_TRAVEL_TOKEN_URL: `${trains.url}/token`,
    CODE_HOST_URL: host.url,
    CODE_HOST_UPLOADS_URL: host.url,
  };
  server = await startWholeServer(settings, undefined, [...allServices, trainTravel, codeHost, codeHostUploads]);
  browser = await server.signedIn();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([trains.close(), host.close()]);
});

const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);
const rpc = (method: string, params: object) => json('POST', '/message', { jsonrpc: '2.0', id: 1, method, params });
const call = async (name: string, args: object) => (await rpc('tools/call', { name, arguments: args })).body;
const lastOf = ({ arrived }: InnerServer) => arrived.at(-1);

describe('a service of a published OpenAPI document', () => {
  it('is connected by the authorization code that its document describes (OAPI-009)', async () => {
    const begun = await browser.get('/connect/train_travel');
    const consent = new URL(begun.headers.get('location') ?? '');
    expect(consent.searchParams.get('scope')).toBe('read write');
    const agreed = await fetch(consent, { redirect: 'manual' });
    const back = new URL(agreed.headers.get('location') ?? '');
    const finished = await browser.get(`${back.pathname}${back.search}`);
    expect([finished.status, finished.headers.get('location')]).toEqual([303, '/page#train_travel']);
  });

  it('has the tools of the selected operations, and no others (OAPI-001)', async () => {
    const { body } = await rpc('tools/list', {});
    const listed = JSON.stringify(body).match(/"train_travel_\w+"/g);
    expect([...new Set(listed)].toSorted()).toEqual([
      '"train_travel_booking_pay"',
      '"train_travel_create_booking"',
      '"train_travel_delete_booking"',
      '"train_travel_get_trips"',
      '"train_travel_stations"',
    ]);
  });

  it('is called over MCP, page after page (OAPI-001, OAPI-007)', async () => {
    expect(await call('train_travel_stations', {})).toMatchObject({
      result: {
        structuredContent: { data: [{ id: 's1', name: 'Station 1' }], pagination: { next: '2', hasMore: true } },
      },
    });
    expect(await call('train_travel_stations', { page: '3' })).toMatchObject({
      result: { structuredContent: { data: [{ id: 's3' }], pagination: { next: null, hasMore: false } } },
    });
    expect(lastOf(trains)).toMatchObject({ url: '/stations?page=3' });
  });

  it('validates an input against its document before anything is sent (OAPI-005)', async () => {
    const before = trains.arrived.length;
    expect(JSON.stringify(await call('train_travel_get_trips', { origin: 'a', destinaton: 'b' }))).toMatch(
      /did you mean `destination`/,
    );
    const source = { object: 'card', name: 'J', number: '4242', cvc: 'abc' };
    const pay = await json('POST', '/api/train_travel/bookings/b1/payment', { currency: 'xyz', source });
    expect(pay).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
    expect(trains.arrived).toHaveLength(before);
  });

  it('has REST routes whose failures say what the API said (OAPI-001, OAPI-014)', async () => {
    const date = '2026-02-01T09:00:00Z';
    const trips = await json('GET', `/api/train_travel/trips?origin=a&destination=b&date=${date}&dogs=true`);
    expect(trips).toMatchObject({ status: 200, body: { data: { data: [{ id: 't1', price: 50 }] } } });
    expect(lastOf(trains)?.url).toBe('/trips?origin=a&destination=b&date=2026-02-01T09%3A00%3A00Z&dogs=true');
    const booked = await json('POST', '/api/train_travel/bookings', { trip_id: 't1', passenger_name: 'Jörg' });
    expect(booked).toMatchObject({ status: 200, body: { data: { id: 'b1', passenger_name: 'Jörg' } } });
    expect(await json('DELETE', '/api/train_travel/bookings/b1')).toMatchObject({ status: 200 });
    expect(await json('DELETE', '/api/train_travel/bookings/b2')).toMatchObject({
      status: 404,
      body: { detail: 'The train travel refused: There is no such booking' },
    });
  });

  it('is described in /openapi.json (OAPI-001)', async () => {
    const { body } = await json('GET', '/openapi.json');
    expect(body).toMatchObject({
      paths: {
        '/api/train_travel/bookings/{bookingId}/payment': {
          post: { operationId: 'train_travel.booking_pay', summary: 'Pays for a booking' },
        },
      },
    });
    expect(JSON.stringify(body)).not.toContain('#/$defs');
  });
});

describe("a few operations of GitHub's document of three megabytes", () => {
  beforeAll(async () => {
    for (const [service, method] of [
      ['code_host', 'api_key'],
      ['code_host_uploads', 'personal_token'],
    ]) {
      const saved = await json('POST', '/save', { service, auth_method: method, access_token: 'the-token' });
      expect(saved).toMatchObject({ status: 200 });
    }
  });

  it('are called with their own kind of token, and paged by the Link header (OAPI-007, OAPI-009)', async () => {
    expect(await call('code_host_issues_list_for_repo', { owner: 'a', repo: 'b', state: 'all' })).toMatchObject({
      result: { structuredContent: { data: [{ number: 1 }], pagination: { next: '2', hasMore: true } } },
    });
    expect(lastOf(host)).toMatchObject({
      url: '/repos/a/b/issues?state=all',
      headers: { authorization: 'token the-token', accept: 'application/vnd.github.v3+json' },
    });
    const second = await json('GET', '/api/code_host/repos/a/b/issues?page=2');
    expect(second).toMatchObject({ body: { data: [{ number: 2 }], pagination: { next: null } } });
  });

  it('report what the host found wrong (OAPI-014)', async () => {
    expect(JSON.stringify(await call('code_host_issue_create', { owner: 'a', repo: 'b', title: 'x' }))).toContain(
      'The code host refused: Validation Failed; is too short',
    );
  });

  it('write a file by its path, and accept an answer without content (OAPI-003)', async () => {
    const written = { message: 'Add', content: 'YQ==' };
    await json('PUT', '/api/code_host/repos/a/b/contents/docs%2Fa%20b.md', written);
    expect(lastOf(host)).toMatchObject({ method: 'PUT', url: '/repos/a/b/contents/docs%2Fa%20b.md' });
    expect(JSON.parse(lastOf(host)?.body ?? '')).toEqual(written);
    const locked = await call('code_host_issues_lock', { owner: 'a', repo: 'b', issue_number: 3, lock_reason: 'spam' });
    expect(locked).toMatchObject({ result: { structuredContent: { done: true } } });
  });

  it('upload a file as its bytes, over REST and over MCP (OAPI-008, OAPI-011)', async () => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const path = '/api/code_host_uploads/repos/a/b/releases/5/assets';
    const sent = await fetch(`${server.origin}${path}?name=a.zip&file_name=a.zip`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/zip' },
      body: 'the bytes',
    });
    expect(await sent.json()).toMatchObject({ data: { id: 9, size: 9 } });
    expect(lastOf(host)).toMatchObject({ url: '/repos/a/b/releases/5/assets?name=a.zip', body: 'the bytes' });
    const file = { name: 'b.txt', content_base64: 'aGVsbG8=' };
    const asked = { owner: 'a', repo: 'b', release_id: 5, name: 'b.txt', file };
    expect(await call('code_host_uploads_asset_upload', asked)).toMatchObject({
      result: { structuredContent: { size: 5 } },
    });
  });
});
