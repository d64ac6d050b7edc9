import { z } from 'zod';
import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const text = z.union([z.string(), z.number()]).nullish().catch(null);

/** The members of an error body in v1 and v2, and of a rejected webhook. */
const errorBody = z.object({
  error: text,
  error_info: text,
  message: text,
  code: text,
  errors: z.record(z.string(), z.unknown()).nullish().catch(null),
});

const maxTextLength = 400;

const hints: Readonly<Record<number, string>> = {
  401: 'The token is not valid or has expired.',
  402: "The company's plan does not allow it, or its trial is over.",
  403: "Your user, or the scopes of the connection, do not allow it. Ask the CRM's administrator, or connect again.",
  410: 'The record was deleted permanently.',
  429: 'Too many requests; wait a moment.',
};

/**
 * Parses an error of the sales CRM. Its envelope is `{success: false, error, error_info}`; a rejected webhook has
 * `errors` by field instead. Null when the body contains none of these, such as a gateway's HTML.
 */
export function readError({ status }: Pick<HttpAnswer, 'status'>, body: unknown): ProviderError | null {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return null;
  const { error, error_info: info, message, code, errors } = parsed.data;
  const fields = Object.entries(errors ?? {}).map(([name, errors]) => `${name}: ${listed(errors)}`);
  const said = [error ?? message, info, ...fields].flatMap((part) => plain(part) ?? []);
  const hint = hints[status];
  if (said.length === 0 && hint === undefined) return null;
  const sentence = said.length === 0 ? '' : ` ${ended(said.join('. ').slice(0, maxTextLength))}`;
  return {
    message: `The sales CRM refused.${sentence}${hint === undefined ? '' : ` ${hint}`}`,
    details: Object.fromEntries(
      Object.entries({ error, error_info: info, code, errors }).filter(
        ([, value]) => value !== null && value !== undefined,
      ),
    ),
  };
}

function listed(errors: unknown): string {
  return Array.isArray(errors) ? errors.map(String).join(', ') : String(errors);
}

/** Converts a text to one line, without markup and without a token that the provider may have echoed. */
function plain(part: string | number | null | undefined): string | null {
  if (part === null || part === undefined) return null;
  const line = String(part)
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/((?:api|access|refresh)_token[=:]\s*)[^\s&"]+/gi, '$1…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return line === '' ? null : line;
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
