import { isJson } from '#adapters/services/from-openapi/json.ts';
import type { ParameterStyle } from '#adapters/services/from-openapi/parameters.ts';

/** Writes a value as text: JSON for lists and objects. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Writes a value in the style `simple`: parts that are joined by commas. */
export function simpleParts(value: unknown, { kind, explode }: ParameterStyle): readonly string[] {
  if (kind === 'json') return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.map(textOf);
  if (!isJson(value)) return [textOf(value)];
  return Object.entries(value).flatMap(([name, part]) =>
    explode ? [`${name}=${textOf(part)}`] : [name, textOf(part)],
  );
}
