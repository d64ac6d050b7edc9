import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;

/** Thrown when a text cannot be decrypted: its key is unknown, or the text was altered or moved from where it was encrypted. */
export class NotOpened extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotOpened';
  }
}

/**
 * Encrypts texts with AES-256-GCM. A sealed text is `v1.{key id}.{base64url of iv, ciphertext and tag}`; the key id is
 * derived from the key, so that several keys can be live: the first encrypts, all decrypt. `context` names where the text
 * is stored ('table/column/row') and is authenticated: a value copied to another row does not decrypt there.
 */
export class AesGcmBox {
  // Made once: with bytes for a key each text would take more than twice the time.
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #sealing: Readonly<{ id: string; key: KeyObject }>;

  /** Takes keys of 32 bytes, the current one first; throws when there is none or one has another length. */
  constructor(keys: readonly Uint8Array[]) {
    const [first] = keys;
    if (first === undefined) throw new Error('AesGcmBox needs at least one key');
    if (keys.some((key) => key.length !== 32)) throw new Error('AesGcmBox takes keys of 32 bytes');
    this.#keys = new Map(keys.map((key) => [idOf(key), createSecretKey(key)]));
    this.#sealing = { id: idOf(first), key: createSecretKey(first) };
  }

  /** Encrypts a text; the result differs each time, as the iv is random. */
  seal(text: string, context: string): string {
    const { id, key } = this.#sealing;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad(id, context));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${id}.${sealed.toString('base64url')}`;
  }

  /** Decrypts a text; throws `NotOpened`. */
  open(sealed: string, context: string): string {
    const [found, id = '', body = ''] = sealed.split('.');
    if (found !== version) throw new NotOpened('The value is not one that this program sealed');
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new NotOpened(
        `The value was sealed with key ${id}, which is none of ${[...this.#keys.keys()].join(', ')}. ` +
          'Was SECRET_KEY_BASE changed? Give the former one as SECRET_KEY_BASE_PREVIOUS.',
      );
    }
    return decipher(key, Buffer.from(body, 'base64url'), aad(id, context));
  }

  /** The id of the key that encrypts. */
  get keyId(): string {
    return this.#sealing.id;
  }

  /** Whether texts encrypted with the key of that id can be decrypted. */
  knows(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Whether the text was encrypted with a key that is no longer the first, and should be re-encrypted. */
  isOutdated(sealed: string): boolean {
    return keyIdOf(sealed) !== this.#sealing.id;
  }

  /** Re-encrypts a text under the current key; null when it cannot be decrypted. */
  resealed(sealed: string, context: string): string | null {
    try {
      return this.seal(this.open(sealed, context), context);
    } catch (error) {
      if (error instanceof NotOpened) return null;
      throw error;
    }
  }

  /** Tells of each key id whether it is the current one, and whether its texts can be decrypted; the most texts first. */
  keyCounts(
    counts: ReadonlyMap<string, number>,
  ): readonly Readonly<{ keyId: string; isCurrent: boolean; isKnown: boolean; values: number }>[] {
    return [...counts]
      .map(([keyId, values]) => ({ keyId, values, isCurrent: keyId === this.keyId, isKnown: this.knows(keyId) }))
      .toSorted((left, right) => right.values - left.values);
  }
}

/** Counts sealed texts by the id of their key. */
export function countByKey(sealed: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of sealed) counts.set(keyIdOf(text), (counts.get(keyIdOf(text)) ?? 0) + 1);
  return counts;
}

/** The id of the key that encrypted a text; empty for a text that no box sealed. */
function keyIdOf(sealed: string): string {
  const [, id = ''] = sealed.split('.', 2);
  return id;
}

function decipher(key: KeyObject, bytes: Buffer, context: Buffer): string {
  if (bytes.length < ivBytes + tagBytes) throw new NotOpened('The sealed value is cut short');
  const opening = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(bytes.subarray(-tagBytes));
  const text = opening.update(bytes.subarray(ivBytes, -tagBytes));
  try {
    return Buffer.concat([text, opening.final()]).toString('utf8');
  } catch {
    throw new NotOpened('The sealed value was altered, or stands in another place than where it was sealed');
  }
}

/** Eight hexadecimal digits of the key's SHA-256: a fingerprint that reveals nothing of the key. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
}

function aad(id: string, context: string): Buffer {
  return Buffer.from(`${version}.${id}.${context}`);
}
