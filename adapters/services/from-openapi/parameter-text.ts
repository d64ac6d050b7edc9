import type { ParameterStyle } from '#adapters/services/from-openapi/parameters.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Formats a value as text: lists and objects as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Formats a value in the style `simple`, as parts to be joined by commas. */
export function simpleParts(value: unknown, { kind, explode }: ParameterStyle): readonly string[] {
  if (kind === 'json') return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.map(textOf);
  if (!isObject(value)) return [textOf(value)];
  return Object.entries(value).flatMap(([name, part]) =>
    explode ? [`${name}=${textOf(part)}`] : [name, textOf(part)],
  );
}
