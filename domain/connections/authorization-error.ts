import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { redacted, spellingsOf, withoutTokens } from '#domain/text/redacted.ts';

/** What a provider's authorization server answered instead of tokens: a code and a description, '' for none (RFC 6749 §5.2). */
type AuthorizationError = Readonly<{ code: string; description: string }>;

const codes = ['error', 'code', 'type'] as const;
const descriptions = ['error_description', 'error_info', 'message', 'detail'] as const;
const maxCode = 80;
const maxDescription = 300;

/**
 * Reads the error in the body of an answer, whatever its status; null when it has none. Both texts are one line, of
 * limited length, and without the given secrets or anything like a token.
 */
export function authorizationErrorIn(body: unknown, secrets: readonly string[]): AuthorizationError | null {
  if (typeof body !== 'object' || body === null) return null;
  const members: Readonly<Record<string, unknown>> = { ...body };
  const spellings = spellingsOf(secrets);
  const first = (names: readonly string[], maxLength: number): string => {
    const given = names.map((name) => own(members, name)).find((value) => typeof value === 'string' && value !== '');
    return typeof given === 'string' ? cleaned(redacted(given, spellings), maxLength) : '';
  };
  const code = first(codes, maxCode);
  const description = first(descriptions, maxDescription);
  return code === '' && description === '' ? null : { code, description };
}

function cleaned(text: string, maxLength: number): string {
  const plain = withoutTokens(text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim());
  const characters = Array.from(plain.replaceAll('"', "'"));
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : characters.join('');
}

/** Quotes the error in a sentence of its own; '' for no error. */
export function quotedError(error: AuthorizationError | null): string {
  return error === null ? '' : ` It said: "${saidIn(error)}".`;
}

/** Quotes the error, and says what an administrator can do about it; '' for no error. */
export function explainedError(
  error: AuthorizationError | null,
  { service, redirectUri }: Readonly<{ service: ServiceKey; redirectUri?: string | undefined }>,
): string {
  if (error === null) return '';
  const remedy = remedyOf(saidIn(error), service, redirectUri);
  return `${quotedError(error)}${remedy === null ? '' : ` ${remedy}`}`;
}

function saidIn({ code, description }: AuthorizationError): string {
  return [...new Set([code, description])].filter((text) => text !== '').join(': ');
}

function remedyOf(said: string, service: ServiceKey, redirectUri: string | undefined): string | null {
  const prefix = service.toUpperCase();
  if (/(?:invalid|unauthorized)[ _]client/i.test(said))
    return `An administrator checks ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET.`;
  if (/redirect[ _]?ur[il]/i.test(said) && redirectUri !== undefined)
    return `An administrator allows the redirect address ${redirectUri} in the app there.`;
  return null;
}
