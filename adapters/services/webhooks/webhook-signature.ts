import { createHmac, hash } from 'node:crypto';
import { isObject, isTooDeep } from '#domain/json/json-data.ts';
import { equal } from '#domain/shared/equal.ts';

/**
 * The index of the secret that signed the bytes by HMAC-SHA256; null when none did. `signature` is hexadecimal in
 * either case; anything else is invalid. Constant-time in which secret matched.
 */
export function signedBy(secrets: readonly string[], body: Uint8Array, signature: string): number | null {
  const given = signature.toLowerCase();
  return firstOf(secrets.map((secret) => equal(createHmac('sha256', secret).update(body).digest('hex'), given)));
}

/** As `signedBy`, for a signature in base64 with its padding. */
export function signedInBase64By(secrets: readonly string[], body: Uint8Array, signature: string): number | null {
  return firstOf(secrets.map((secret) => equal(createHmac('sha256', secret).update(body).digest('base64'), signature)));
}

/** The index of the secret that equals the text; null when none does. Constant-time in which secret matched. */
export function secretGiven(secrets: readonly string[], text: string): number | null {
  return firstOf(secrets.map((secret) => equal(secret, text)));
}

function firstOf(fits: readonly boolean[]): number | null {
  const index = fits.indexOf(true);
  return index === -1 ? null : index;
}

/** Whether the text has the format of a hexadecimal HMAC-SHA256. */
export function isHexSignature(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}

/** Whether the text has the format of a base64 HMAC-SHA256. */
export function isBase64Signature(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/**
 * Builds the id of a delivery from its unsigned id header and a digest of the body, so that a delivery sent again under
 * another's id is not taken for that one. `volatileFields` are the top-level members that differ between attempts, and
 * are excluded from the digest. Null without an id.
 */
export function boundId(id: string | null, body: unknown, volatileFields: readonly string[] = []): string | null {
  if (id === null) return null;
  const lasting = isObject(body) ? Object.entries(body).filter(([name]) => !volatileFields.includes(name)) : body;
  return `${id}.${hash('sha256', JSON.stringify(lasting)).slice(0, 32)}`;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body in UTF-8; undefined when it is malformed or nested too deeply. No legitimate sender nests a tenth
 * as deep.
 */
export function jsonOf(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(strictDecoder.decode(body));
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
