import { describe, expect, it } from 'vitest';
import { documentLifetimeMs } from '#adapters/client-documents/document-lifetime.ts';
import { checkDocumentAddress, readClientDocument } from '#domain/oauth/client-document.ts';

const address = 'https://app.example/client.json';
const good = { client_id: address, client_name: 'Sextant', redirect_uris: ['https://app.example/cb'] };

describe('the address of a client’s document', () => {
  it.each(['https://app.example/client.json', 'https://app.example:8443/a/b', 'https://app.example/c?v=1'])(
    'may be %s (META-007)',
    (id) => expect(checkDocumentAddress(id)).toMatchObject({ ok: true }),
  );

  it.each([
    ['http://app.example/client.json', 'https'],
    ['https://app.example', 'path'],
    ['https://app.example/', 'path'],
    ['https://app.example/a/../client.json', 'dot segments'],
    ['https://app.example/a/%2e%2E/client.json', 'dot segments'],
    ['https://ann@app.example/client.json', 'user info'],
    ['https://app.example/client.json#it', 'fragment'],
    ['https://APP.example/client.json', 'spelled https://app.example/client.json'],
    ['https://app.example:443/client.json', 'spelled'],
    [`https://app.example/${'a'.repeat(500)}`, '512'],
  ])('may not be %s (META-007)', (id, why) => {
    expect(checkDocumentAddress(id)).toMatchObject({ failure: { message: expect.stringContaining(why) } });
  });
});

describe('a client’s document', () => {
  it('defines a client without a secret (META-006)', () => {
    const more = { ...good, token_endpoint_auth_method: 'none', logo_uri: 'https://app.example/logo.png' };
    const client = { id: address, secret: null, name: 'Sextant', redirectUris: good.redirect_uris };
    expect(readClientDocument(address, more)).toEqual({ ok: true, value: client });
  });

  it.each([
    ['a list', [], 'object'],
    ['another id', { ...good, client_id: 'https://app.example/other.json' }, 'client_id'],
    ['an inherited id', Object.create(good), 'client_id'],
    ['a secret', { ...good, client_secret: 's' }, 'client_secret'],
    ['a method with a secret', { ...good, token_endpoint_auth_method: 'client_secret_post' }, 'none'],
    ['no name', { ...good, client_name: undefined }, 'client_name'],
    ['a long name', { ...good, client_name: 'a'.repeat(201) }, '200'],
    ['no redirect URI', { ...good, redirect_uris: [] }, 'redirect_uris'],
    ['too many', { ...good, redirect_uris: Array(51).fill('https://app.example/cb') }, '50'],
    ['one that runs', { ...good, redirect_uris: ['javascript:alert(1)'] }, 'https'],
    ['one that is no text', { ...good, redirect_uris: [...good.redirect_uris, 1] }, 'https'],
  ])('is refused with %s (META-007)', (_, document, why) => {
    expect(readClientDocument(address, document)).toMatchObject({
      failure: { reason: 'unusable_document', message: expect.stringContaining(why) },
    });
  });
});

describe('how long a document is cached', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  it.each([
    ['nothing is said', {}, 60],
    ['max-age', { 'cache-control': 'public, max-age=7200' }, 120],
    ['max-age, of which some is over', { 'cache-control': 'max-age=7200', age: '3600' }, 60],
    ['seconds only', { 'cache-control': 'max-age=10' }, 5],
    ['a year', { 'cache-control': 'max-age=31536000, immutable' }, 24 * 60],
    ['no-store', { 'cache-control': 'no-store, max-age=7200' }, 5],
    ['expires', { expires: 'Sun, 22 Nov 2026 14:00:00 GMT' }, 120],
    ['expires in no date', { expires: '0' }, 5],
  ])('is between five minutes and a day: %s (META-009)', (_, headers: Record<string, string>, minutes) => {
    expect(documentLifetimeMs(headers, now) / 60_000).toBe(minutes);
  });
});
