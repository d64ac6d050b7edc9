import * as fc from 'fast-check';
import type { FuzzRequest } from '#test/fuzz/requests.ts';
import { hostile } from '#test/fuzz/values.ts';

const topics = `account|note|resource|notes|budget.use|budget.refused|reaction switches|mcp messages|mcp session|mcp post|mcp posted`;
const fields = ['userId', 'path', 'kind', 'address', 'connection', 'used', 'retryAfterMs', 'user', 'count'];
const ofPosts = ['ref', 'stream', 'version', 'value', 'status', 'json', 'id'];
const body = fc.record(Object.fromEntries([...fields, ...ofPosts].map((name) => [name, hostile])));
const frame = fc.record({
  v: fc.constant(1),
  from: fc.oneof(fc.constant('fuzz'), fc.string({ minLength: 1, maxLength: 20 })),
  n: fc.oneof(fc.integer({ min: 1 }), hostile),
  texts: fc.oneof(fc.array(fc.oneof(fc.string(), fc.maxSafeInteger(), hostile)), hostile),
});

/** What may be wrong with a message, and what it then has in that place. */
const wrongs: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  repeated: fc.constant(null),
  'another secret': fc.string(),
  'another purpose': fc.constant(null),
  'another server': fc.string({ minLength: 1, maxLength: 20 }),
  age: fc.oneof(fc.integer({ min: 60_000 }), fc.integer({ max: -60_000 })),
  kind: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'mcp post ')),
  body: fc.tuple(fc.constantFrom(...topics.split('|')), fc.oneof(body, hostile)),
  envelope: hostile,
  text: hostile,
  notification: fc.oneof(frame, hostile),
};

/** Messages between servers that none may act on, or fail at. The method is what is wrong, and the body what it has there. */
export const serverMessages: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...Object.entries(wrongs).map(([wrong, value]) =>
    value.map((one) => ({
      kind: 'message' as const,
      method: wrong,
      path: '',
      headers: {},
      body: JSON.stringify(one),
      isBarred: true,
    })),
  ),
);
