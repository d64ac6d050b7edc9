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

/** Why a text cannot be decrypted: another secret encrypted it, or it was altered, or copied to another place. */
type NotOpenedReason = 'unknown_key' | 'damaged';

/** Thrown when a text cannot be decrypted. */
export class NotOpened extends Error {
  readonly reason: NotOpenedReason;

  constructor(message: string, reason: NotOpenedReason = 'damaged') {
    super(message);
    this.name = 'NotOpened';
    this.reason = reason;
  }
}

/**
 * Encrypts texts with AES-256-GCM. An encrypted text is `v1.{key id}.{base64url of iv, ciphertext and tag}`. The key id
 * is derived from the key, which allows rotation: the first key encrypts, all keys decrypt. `context` names where the
 * text is stored ('table/column/row') and is authenticated, so that a value copied to another row does not decrypt
 * there.
 */
export class AesGcmBox {
  // Created once: passing key bytes to each call more than doubles its time.
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

  /** Encrypts a text with a random iv, so that results differ each time. */
  seal(text: string, context: string): string {
    const { id, key } = this.#sealing;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad(id, context));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${id}.${sealed.toString('base64url')}`;
  }

  /** Decrypts a text; throws `NotOpened` when it cannot. */
  open(sealed: string, context: string): string {
    const [found, id = '', body = ''] = sealed.split('.');
    if (found !== version || !/^[0-9a-f]{8}$/.test(id))
      throw new NotOpened('The value is not one that this program sealed');
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new NotOpened(
        `The value was sealed with key ${id}, which is none of ${[...this.#keys.keys()].join(', ')}. ` +
          'Was SECRET_KEY_BASE changed? Give the former one as SECRET_KEY_BASE_PREVIOUS.',
        'unknown_key',
      );
    }
    return decipher(key, Buffer.from(body, 'base64url'), aad(id, context));
  }

  /** The id of the encryption key. */
  get keyId(): string {
    return this.#sealing.id;
  }

  /** Whether texts encrypted with the key of that id can be decrypted. */
  knows(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Whether the text was encrypted with a key other than the current one, and should be re-encrypted. */
  isOutdated(sealed: string): boolean {
    return keyIdOf(sealed) !== this.#sealing.id;
  }

  /** Re-encrypts a text with the current key; null when it cannot be decrypted. */
  resealed(sealed: string, context: string): string | null {
    try {
      return this.seal(this.open(sealed, context), context);
    } catch (error) {
      if (error instanceof NotOpened) return null;
      throw error;
    }
  }

  /** Describes the keys of counted texts: whether each is current and known; sorted by count, descending. */
  keyCounts(
    counts: ReadonlyMap<string, number>,
  ): readonly Readonly<{ keyId: string; isCurrent: boolean; isKnown: boolean; values: number }>[] {
    return [...counts]
      .map(([keyId, values]) => ({ keyId, values, isCurrent: keyId === this.keyId, isKnown: this.knows(keyId) }))
      .toSorted((left, right) => right.values - left.values);
  }
}

/** Counts encrypted texts by the id of their key. */
export function countByKey(sealed: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of sealed) counts.set(keyIdOf(text), (counts.get(keyIdOf(text)) ?? 0) + 1);
  return counts;
}

/** Returns the id of the key that encrypted a text; '' for any other text. */
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
    throw new NotOpened('The encrypted value was altered, or moved from the place it was encrypted for');
  }
}

/** Returns the key's fingerprint: eight hexadecimal digits of its SHA-256, which do not reveal it. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
}

function aad(id: string, context: string): Buffer {
  return Buffer.from(`${version}.${id}.${context}`);
}
