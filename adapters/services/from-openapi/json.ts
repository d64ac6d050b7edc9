/** A JSON object whose members are not known yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object that is the value; an empty one for anything else. */
export const jsonOr = (value: unknown): Json => (isJson(value) ? value : {});

/** Returns the list that is the value; an empty one for anything else. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the text that is the value; null for an empty one and anything else. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns the value at a path of own members, such as `['meta', 'next']`; undefined when there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (!isJson(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}
