import { CompactEncrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';

const key = deriveKey('0123456789abcdef0123456789abcdef', 'session');
const tokens = new JweSessionTokens([key]);

/** A token with any claims, sealed under the key by hand. */
async function sealed(claims: unknown): Promise<string> {
  const [head = ''] = (await tokens.seal({ userId: 1, issuedAt: 0 })).split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  return new CompactEncrypt(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).encrypt(key);
}

describe('encrypted sessions', () => {
  it('are decrypted as they were, with a scope or without', async () => {
    for (const session of [
      { userId: 7, issuedAt: 1_800_000_000_123 },
      { userId: 7, issuedAt: 1_800_000_000_123, scope: 'vault:read' },
    ]) {
      expect(await tokens.open(await tokens.seal(session))).toEqual(session);
    }
  });

  it('are no longer without a scope than before scopes existed', async () => {
    const before = await sealed({ sub: '1', iat: 1_800_000_000.123 });
    expect(await tokens.seal({ userId: 1, issuedAt: 1_800_000_000_123 })).toHaveLength(before.length);
    expect(await tokens.open(before)).toEqual({ userId: 1, issuedAt: 1_800_000_000_123 });
  });

  it.each([0, 1, 2, 3, 4])(
    'have one spelling only: part %i in another spelling is invalid (SESS-013)',
    async (index) => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const token = await tokens.seal({ userId: 1, issuedAt: 1_800_000_000_123, scope: 'vault:read' });
      const parts = token.split('.');
      const part = parts[index] ?? '';
      const decoded = Buffer.from(part, 'base64url');
      const spellings = alphabet.split('').map((last) => `${part.slice(0, -1)}${last}`);
      const others = [...spellings, `${part}=`, `${part} `, `${part}A`].filter((other) => other !== part);
      const same = others.filter((other) => Buffer.from(other, 'base64url').equals(decoded));
      for (const other of same) {
        expect(await tokens.open(parts.with(index, other).join('.')), other).toBeNull();
      }
      expect(same.length).toBeGreaterThan(0);
      expect(await tokens.open(token)).not.toBeNull();
    },
  );

  it.each([null, 7, ['vault'], {}])('are invalid with a scope that is not a text: %j', async (scope) => {
    expect(await tokens.open(await sealed({ sub: '1', iat: 1, scope }))).toBeNull();
  });
});
