import { describe, expect, it } from 'vitest';
import { readIncoming, wantsProgress } from '#adapters/mcp/protocol/json-rpc.ts';

describe('a message is classified by its shape', () => {
  const base = { jsonrpc: '2.0' };

  it.each([
    ['request', { ...base, id: 1, method: 'ping' }],
    ['request', { ...base, id: 'a', method: 'ping', params: {} }],
    ['request', { ...base, id: 0, method: 'ping', params: null }],
    ['notification', { ...base, method: 'notifications/initialized' }],
    ['response', { ...base, id: 1, result: {} }],
    ['response', { ...base, id: null, error: { code: 1, message: '' } }],
  ])('as a %s: %j', (kind, value) => {
    expect(readIncoming(value).kind).toBe(kind);
  });

  it.each([
    ['no object', 'text', null, -32600],
    ['a list', [], null, -32600],
    ['an empty object', {}, null, -32600],
    ['another version', { id: 3, jsonrpc: '1.0', method: 'ping' }, 3, -32600],
    ['no method', { ...base, id: 3 }, 3, -32600],
    ['a method that is no text', { ...base, id: 3, method: 4 }, 3, -32600],
    ['the id null', { ...base, id: null, method: 'ping' }, null, -32600],
    ['an id with a fraction', { ...base, id: 1.5, method: 'ping' }, null, -32600],
    ['an id that JSON does not carry exactly', { ...base, id: 2 ** 53, method: 'ping' }, null, -32600],
    ['parameters by position', { ...base, id: 3, method: 'ping', params: [1] }, 3, -32602],
  ])('and rejected for %s', (_, value, id, code) => {
    const message = readIncoming(value);
    expect(message.kind).toBe('invalid');
    expect(JSON.parse(message.kind === 'invalid' ? message.error : '')).toMatchObject({ id, error: { code } });
  });
});

it.each([
  [{ _meta: { progressToken: 0 } }, true],
  [{ _meta: { progressToken: 'a' } }, true],
  [{ _meta: { progressToken: {} } }, false],
  [{ _meta: null }, false],
  [{}, false],
])('progress is requested with a token: %j', (params, expected) => {
  expect(wantsProgress({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toBe(expected);
});
