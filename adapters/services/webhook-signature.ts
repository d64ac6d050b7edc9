import { createHmac, hash } from 'node:crypto';
import { isTooDeep } from '#domain/json/json-data.ts';
import { equal } from '#domain/shared/equal.ts';

/**
 * Which of the secrets signed the bytes by HMAC-SHA256, from 0; null when none did. `signature` is hexadecimal, in either
 * case of letters; anything else is no signature. Takes the same time whichever secret it was.
 */
export function signedBy(secrets: readonly string[], body: Uint8Array, signature: string): number | null {
  const given = signature.toLowerCase();
  return firstOf(secrets.map((secret) => equal(createHmac('sha256', secret).update(body).digest('hex'), given)));
}

/** As `signedBy`, for a signature in base64 with its padding. */
export function signedInBase64By(secrets: readonly string[], body: Uint8Array, signature: string): number | null {
  return firstOf(secrets.map((secret) => equal(createHmac('sha256', secret).update(body).digest('base64'), signature)));
}

/** Which of the secrets the text is, from 0; null when it is none. Takes the same time whichever it was. */
export function secretGiven(secrets: readonly string[], text: string): number | null {
  return firstOf(secrets.map((secret) => equal(secret, text)));
}

function firstOf(fits: readonly boolean[]): number | null {
  const index = fits.indexOf(true);
  return index === -1 ? null : index;
}

/** Whether the text has the form of an HMAC-SHA256 in hexadecimal. */
export function isHexSignature(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}

/** Whether the text has the form of an HMAC-SHA256 in base64. */
export function isBase64Signature(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/**
 * The id of a delivery whose sender tells it in a header, which nobody signs: with a digest of the body, so that a delivery
 * sent again under another's id does not pass for that one. `volatileFields` are the top members that change at each try of
 * one delivery, and are no part of the digest. Null without an id.
 */
export function boundId(id: string | null, body: unknown, volatileFields: readonly string[] = []): string | null {
  if (id === null) return null;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const lasting = isObject ? Object.entries(body).filter(([name]) => !volatileFields.includes(name)) : body;
  return `${id}.${hash('sha256', JSON.stringify(lasting)).slice(0, 32)}`;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a body that is JSON in UTF-8, nested no deeper than what reads it can follow; undefined when it is not. No
 * sender nests a tenth as deep.
 */
export function jsonOf(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(strictDecoder.decode(body));
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
