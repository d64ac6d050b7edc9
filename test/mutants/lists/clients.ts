import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-clients.ts';
const notFound = { ok: false, failure: { reason: 'not_found' } };

/** Ways in which a store of clients can be broken. */
export const clients: PortMutants = {
  port: 'clients',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(client)', 'client', 'keeps the object that it was given'],
      ['ok(client)', 'ok(structuredClone({ ...client, redirectUris: [] }))', 'loses the redirect URIs'],
      [
        'this.#clients.set(client.id,',
        'if (!this.#clients.has(client.id)) this.#clients.set(client.id,',
        'keeps the first of one id',
      ],
      ['new LRUCache({ max })', 'new LRUCache({ max: max + 1 })', 'holds one too many'],
      ['new LRUCache({ max })', 'new LRUCache({ max: max - 1 })', 'holds one too few'],
      ['new LRUCache({ max })', 'new LRUCache({ max: 1_000_000 })', 'is not bounded'],
      ['this.#clients.get(id)', 'this.#clients.peek(id)', 'does not count a look as a use'],
      ['this.#clients.get(id)', 'this.#clients.get(id.trim())', 'trims ids'],
      ['this.#clients.get(id)', 'this.#clients.get(id) ?? this.#clients.values().next().value', 'finds any client'],
      [
        'this.#clients.set(client.id,',
        'this.#clients.clear();\n    this.#clients.set(client.id,',
        'holds the last client only',
      ],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'keep' }, 'loses every write'],
      [{ op: 'once', method: 'keep' }, 'loses every write but the first'],
      [{ op: 'late', method: 'keep' }, 'writes after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'argument', method: 'keep', path: '0.secret', value: 'x' }, 'keeps another secret'],
      [{ op: 'argument', method: 'keep', path: '0.name', value: 'MCP Client' }, 'keeps the default name'],
      [{ op: 'argument', method: 'keep', path: '0.createdAt', value: 0 }, 'loses the time of creation'],
      [{ op: 'argument', method: 'keep', path: '0.redirectUris', value: [] }, 'keeps no redirect URIs'],
      [{ op: 'argument', method: 'find', path: '0', value: 'client_Ada-1' }, 'finds the same client for every id'],
      [{ op: 'always', method: 'find', answer: notFound }, 'finds nothing'],
      [{ op: 'answer', method: 'find', path: 'failure', value: { reason: 'unknown' } }, 'has another reason'],
    ]),
  ],
};
