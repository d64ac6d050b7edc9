import { expect, it } from 'vitest';
import { forwarding } from '#adapters/stores/forwarding.ts';

class Counter {
  #count = 0;

  add(by: number): number {
    this.#count += by;
    return this.#count;
  }

  read(): number {
    return this.#count;
  }
}

it('a decorated store runs every method that is not overridden on the store itself, whatever kind of object it is', () => {
  const counter = new Counter();
  const frozen = Object.freeze({ add: (by: number) => counter.add(by), read: () => counter.read() });
  const lazy = new Proxy(new Counter(), { get: (_, name) => Reflect.get(frozen, name), ownKeys: () => [] });
  for (const store of [counter, frozen, lazy]) {
    const decorated = forwarding(forwarding(store, {}), { add: (by) => store.add(-by) });
    const before = store.read();
    expect(decorated.add(2)).toBe(before - 2);
    expect(decorated.read()).toBe(before - 2);
  }
});

it('a decorated store calls a method that was replaced on the inner store later', () => {
  const store = { read: () => 1 };
  const decorated = forwarding(store, {});
  store.read = () => 2;
  expect(decorated.read()).toBe(2);
});
