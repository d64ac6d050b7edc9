import type { InputError } from '#domain/operations/input-error.ts';

/** Returns the errors in an input with their places, except those of template strings, which are evaluated later. */
export function templatedErrors(
  input: Readonly<Record<string, unknown>>,
  errors: readonly InputError[],
): readonly Readonly<{ place: readonly string[]; message: string }>[] {
  return errors
    .filter(({ path }) => !isTemplate(valueAt(input, path)))
    .map(({ path, message }) => ({ place: path, message }));
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }, input);
}

function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\{\{|\{%/.test(value);
}
