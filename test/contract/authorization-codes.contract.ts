import { describe, expect, it } from 'vitest';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';

const code = (text: string): AuthorizationCode => ({
  code: text,
  clientId: 'client_a',
  userId: 1,
  redirectUri: 'http://127.0.0.1/callback',
  codeChallenge: null,
  expiresAt: 0,
});

/** What every adapter of the port keeps. `open` gives an empty one that holds at most `max` codes. */
export function authorizationCodesContract(name: string, open: (max: number) => Promise<AuthorizationCodes>): void {
  describe(`${name} as AuthorizationCodes`, () => {
    it('gives back a code as it was kept, expired or not, as often as asked', async () => {
      const codes = await open(10);
      await codes.keep(code('code_a'));
      expect(await codes.find('code_a')).toEqual(code('code_a'));
      expect(await codes.find('code_a')).toEqual(code('code_a'));
    });

    it('keeps what was granted with the code', async () => {
      const codes = await open(10);
      await codes.keep({ ...code('code_a'), scope: 'tracker:read vault:read' });
      expect(await codes.find('code_a')).toEqual({ ...code('code_a'), scope: 'tracker:read vault:read' });
    });

    it('has null for a code that was never issued', async () => {
      const codes = await open(10);
      expect(await codes.find('code_a')).toBeNull();
      expect(await codes.find('constructor')).toBeNull();
    });

    it('lets one of many consume a code (CODE-004)', async () => {
      const codes = await open(10);
      await codes.keep(code('code_a'));
      const consumed = await Promise.all(Array.from({ length: 20 }, () => codes.consume('code_a')));
      expect(consumed.filter(Boolean)).toHaveLength(1);
      expect(await codes.find('code_a')).toBeNull();
    });

    it('is bounded: the oldest goes first', async () => {
      const codes = await open(2);
      for (const text of ['code_a', 'code_b', 'code_c']) await codes.keep(code(text));
      expect(await codes.find('code_a')).toBeNull();
      expect(await codes.find('code_c')).not.toBeNull();
    });
  });
}
