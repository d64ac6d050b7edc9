import { isObject } from '#domain/json/json-data.ts';
/** A JSON object with unknown members. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object, else an empty object. */
export const jsonOr = (value: unknown): Json => (isObject(value) ? value : {});

/** Returns the value if it is a list, else an empty list. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value if it is a non-empty string, else null. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns the value at a path of own members, such as `['meta', 'next']`; undefined when there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}
