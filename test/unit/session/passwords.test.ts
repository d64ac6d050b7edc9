import { describe, expect, it } from 'vitest';
import { Argon2Passwords, standardCosts } from '#infrastructure/crypto/argon2-passwords.ts';
import { cheapCosts } from '#test/support/authorization/auth-app.ts';

describe('passwords', () => {
  const passwords = new Argon2Passwords(cheapCosts);

  it('are hashed with Argon2id and a salt of their own (USER-007)', async () => {
    const [first, second] = [await passwords.hash('pass'), await passwords.hash('pass')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, 'pass')).toBe(true);
    expect(await passwords.verify(first, 'Pass')).toBe(false);
  });

  it('cost 19 MiB and two passes by default', async () => {
    expect(standardCosts).toMatchObject({ memoryKib: 19_456, passes: 2 });
    expect(await new Argon2Passwords().hash('pass')).toContain('$m=19456,t=2,p=1$');
  });

  it.each([null, '', 'plain', '$argon2id$broken', '$2b$10$abcdefghijklmnopqrstuv'])(
    'never verify against %j',
    async (hash) => {
      expect(await passwords.verify(hash, 'no user has this password')).toBe(false);
    },
  );
});
