import { setTimeout } from 'node:timers';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import type { Change } from '#test/mutants/mutant.ts';

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** How long a call that is late waits, in ms: longer than a store needs to be opened again. */
const lateMs = 150;

/** The subject with its store broken by a change of calls. */
export function broken<Port extends object>(subject: Subject<Port>, change: Change): Subject<Port> {
  const { open, reopen, beside } = subject;
  if (change.op === 'forgets' || change.op === 'apart') {
    const reopened: NonNullable<typeof reopen> = async (_, options) => open(options);
    return change.op === 'forgets' ? { ...subject, reopen: reopened } : { ...subject, beside: reopened };
  }
  const wrapped = (handle: Opened<Port>): Opened<Port> => ({
    ...handle,
    port: brokenPort(handle.port, change.method, changed(change)),
  });
  return {
    ...subject,
    open: async (options) => wrapped(await open(options)),
    ...(reopen === undefined ? {} : { reopen: async (opened, options) => wrapped(await reopen(opened, options)) }),
    ...(beside === undefined ? {} : { beside: async (opened, options) => wrapped(await beside(opened, options)) }),
  };
}

function brokenPort<Port extends object>(port: Port, name: string, change: (method: Method) => Method): Port {
  if (typeof Reflect.get(port, name) !== 'function') throw new Error(`The port has no ${name}`);
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const own: Method = (...given) => Reflect.apply(member, target, given);
      if (!methods.has(key)) methods.set(key, key === name ? change(own) : own);
      return methods.get(key);
    },
  });
}

/** The change as a function of the method. */
function changed(change: Extract<Change, { method: string }>): (method: Method) => Method {
  switch (change.op) {
    case 'lost':
      return () => async () => change.answer;
    case 'once':
      return (method) => {
        let first: Promise<unknown> | null = null;
        return (...given) => (first ??= method(...given));
      };
    case 'late':
      return (method) =>
        async (...given) => {
          setTimeout(() => void later(method, given), lateMs);
          return change.answer;
        };
    case 'argument':
      return (method) =>
        (...given) => {
          const other = withPart(given, change.path.split('.'), change.value);
          return method(...(Array.isArray(other) ? other : []));
        };
    case 'answer':
      return (method) =>
        async (...given) =>
          withPart(await method(...given), change.path.split('.'), change.value);
    case 'always':
      return (method) =>
        async (...given) => {
          await method(...given);
          return change.answer;
        };
    case 'stale':
      return (method) => {
        const known = new Map<string, Promise<unknown>>();
        return (...given) => {
          const key = JSON.stringify(given);
          const answer = known.get(key) ?? method(...given);
          known.set(key, answer);
          return answer;
        };
      };
    case 'shared':
      return (method) => {
        const known = new Map<string, unknown>();
        return async (...given) => {
          const answer = await method(...given);
          const key = JSON.stringify(answer) ?? '';
          if (!known.has(key)) known.set(key, thawed(answer));
          return known.get(key);
        };
      };
    case 'reversed':
    case 'short':
      return (method) =>
        async (...given) => {
          const answer = await method(...given);
          return listed(answer, (list) => (change.op === 'short' ? list.slice(0, -1) : list.toReversed()));
        };
    case 'twice':
      return (method) =>
        async (...given) => {
          await method(...given);
          return method(...given);
        };
  }
}

/** A list, or a result whose value is one, as another list. */
function listed(answer: unknown, change: (list: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(answer)) return change(answer);
  if (typeof answer === 'object' && answer !== null && 'value' in answer) {
    return { ...answer, value: listed(answer.value, change) };
  }
  return answer;
}

/** A copy that can be changed, whatever was frozen. */
function thawed(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}

/** The value with another part; as it is where it has no such part. `*` stands for each member of a list. */
function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((member, index) => (key === '*' || key === String(index) ? withPart(member, rest, part) : member));
  }
  return { ...value, [key]: withPart(Reflect.get(value, key), rest, part) };
}

/** Makes a call whose store may be closed by now. */
async function later(method: Method, given: readonly unknown[]): Promise<void> {
  try {
    await method(...given);
  } catch {
    // Nobody waits for it.
  }
}
