import { hash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

type Opened = Readonly<{
  userId: number;
  issuedAt: number;
  sessionId?: string;
  scope?: string;
  grantId?: string;
  audience?: string;
}>;
type SealingKey = Readonly<{ id: string; bytes: Uint8Array }>;

const maxTokenLength = 1_024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Encrypts session tokens as compact JWE (`dir`, A256GCM). Claims: `sub` is the user id as text, `iat` the time of
 * issue in seconds with a fraction; `sid`, `scope`, `grant` and `aud` are optional. The first key encrypts;
 * tokens are decrypted with the key that their `kid` names, which allows rotation.
 */
export class JweSessionTokens {
  readonly #sealing: SealingKey;
  readonly #keys: ReadonlyMap<string, Uint8Array>;

  /** `keys` are 32 bytes each, the current one first. Throws when there is none. */
  constructor(keys: readonly Uint8Array[]) {
    const named = keys.map((bytes) => ({ id: hash('sha256', bytes, 'base64url').slice(0, 8), bytes }));
    const [sealing] = named;
    if (sealing === undefined) throw new Error('A key is needed to seal sessions');
    this.#sealing = sealing;
    this.#keys = new Map(named.map(({ id, bytes }) => [id, bytes]));
  }

  /** Encrypts a token; about 120 characters of base64url and dots, more with a scope. `issuedAt` is Unix ms. */
  async seal({ userId, issuedAt, sessionId, scope, grantId, audience }: Opened): Promise<string> {
    const about = { sub: String(userId), iat: issuedAt / 1000, sid: sessionId, scope, grant: grantId, aud: audience };
    const claims = encoder.encode(JSON.stringify(about));
    return new CompactEncrypt(claims)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.#sealing.id })
      .encrypt(this.#sealing.bytes);
  }

  /** Decrypts a token; null when it was not issued here or was altered. Never throws. */
  async open(token: string): Promise<Opened | null> {
    if (token === '' || token.length > maxTokenLength || !isCanonical(token)) return null;
    try {
      const { plaintext } = await compactDecrypt(token, ({ kid }) => this.#keyNamed(kid), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return readClaims(JSON.parse(decoder.decode(plaintext)));
    } catch {
      // All token errors (syntax, key, tag) are equivalent to callers.
      return null;
    }
  }

  #keyNamed(id: string | undefined): Uint8Array {
    const key = this.#keys.get(id ?? '');
    if (key === undefined) throw new Error('sealed by no key of ours');
    return key;
  }
}

/**
 * Whether each part is canonical base64url: decoders ignore the unused bits of the last character, so that other
 * spellings of a token would be accepted too.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

type Claims = Readonly<Partial<Record<'sub' | 'iat' | 'sid' | 'scope' | 'grant' | 'aud', unknown>>>;

function readClaims(claims: Claims | null): Opened | null {
  if (typeof claims?.sub !== 'string' || !/^(?:0|[1-9]\d{0,14})$/.test(claims.sub)) return null;
  if (typeof claims.iat !== 'number' || !Number.isFinite(claims.iat)) return null;
  const { sid, scope, grant, aud } = claims;
  if (!isTextOrNone(sid) || !isTextOrNone(scope) || !isTextOrNone(grant) || !isTextOrNone(aud)) return null;
  return {
    userId: Number(claims.sub),
    issuedAt: Math.round(claims.iat * 1000),
    ...(sid === undefined ? {} : { sessionId: sid }),
    ...(scope === undefined ? {} : { scope }),
    ...(grant === undefined ? {} : { grantId: grant }),
    ...(aud === undefined ? {} : { audience: aud }),
  };
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
