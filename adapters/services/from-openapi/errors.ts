import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import { listOr, textOrNull } from '#adapters/services/from-openapi/json.ts';
import { isObject } from '#domain/json/json-data.ts';

/** The maximum number of texts that are joined into one message. */
const maxTexts = 5;
/** The maximum length of a message, in characters. */
const maxMessage = 500;

/**
 * Reads an API's error in the common formats: problem details (RFC 9457), `message`, `error` as a string or object, and
 * lists of `errors`. Null when none matches.
 */
export function readError(noun: string, body: unknown): ProviderError | null {
  const texts = [...new Set(textsIn(body, 0))].slice(0, maxTexts);
  if (texts.length === 0) return null;
  return { message: `The ${noun} refused: ${texts.join('; ').slice(0, maxMessage)}`, details: body };
}

const members = ['detail', 'message', 'error_description', 'error_message', 'error', 'title', 'errors', 'description'];

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return textOrNull(value.trim()) === null ? [] : [value.trim()];
  if (depth > 3) return [];
  if (Array.isArray(value))
    return listOr(value)
      .slice(0, maxTexts)
      .flatMap((one) => textsIn(one, depth + 1));
  if (!isObject(value)) return [];
  for (const member of members.filter((name) => name !== 'errors')) {
    const texts = Object.hasOwn(value, member) ? textsIn(value[member], depth + 1) : [];
    if (texts.length > 0) return [...texts, ...textsIn(value['errors'], depth + 1)];
  }
  return textsIn(value['errors'], depth + 1);
}
