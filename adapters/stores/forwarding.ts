/**
 * Returns the store with some methods replaced. The others are looked up at each call and run on the store itself, so
 * it may be any object: of a class with private members, frozen, or a proxy.
 */
export function forwarding<Inner extends object>(inner: Inner, overrides: Partial<Inner>): Inner {
  const forwards = new Proxy(
    {},
    {
      get: (_, name) => {
        const member: unknown = Reflect.get(inner, name);
        return typeof member === 'function' ? member.bind(inner) : member;
      },
    },
  );
  return Object.assign(Object.create(forwards), overrides);
}
