import { describe, expect, it } from 'vitest';
import { personOf, readClaims } from '#adapters/oidc/read-person.ts';

const iss = 'https://sso.example.com';
const read = (claims: object, userInfo: object | null = null, issuer = iss) =>
  personOf({ iss: issuer, sub: 's' }, readClaims(claims), userInfo === null ? null : readClaims(userInfo));

describe('a person as a provider describes them', () => {
  it.each([true, 'true'])('has a verified e-mail when the provider says so: %s (OIDC-007)', (email_verified) => {
    expect(read({ email: 'a@example.com', email_verified }).verifiedEmail).toBe('a@example.com');
  });

  it.each([false, 'false', 0, null, 'yes', [true]])(
    'has no verified e-mail when the claim is %s (OIDC-007)',
    (email_verified) => {
      expect(read({ email: 'a@example.com', email_verified })).toMatchObject({
        email: 'a@example.com',
        verifiedEmail: null,
      });
    },
  );

  it('has one by Entra’s claim that the tenant owns its domain', () => {
    expect(read({ email: 'a@example.com', xms_edov: true }).verifiedEmail).toBe('a@example.com');
    expect(read({ email: 'a@example.com', xms_edov: '0' }).verifiedEmail).toBeNull();
  });

  it('has one of Google only where Google is its authority', () => {
    const google = 'https://accounts.google.com';
    const claims = { email: 'a@example.com', email_verified: true };
    expect(read(claims, null, google).verifiedEmail).toBeNull();
    expect(read({ ...claims, hd: 'other.example' }, null, google).verifiedEmail).toBeNull();
    expect(read({ ...claims, hd: 'Example.com' }, null, google).verifiedEmail).toBe('a@example.com');
    expect(read({ ...claims, email: 'a@gmail.com' }, null, google).verifiedEmail).toBe('a@gmail.com');
  });

  it('takes e-mail and whether it is verified from one source', () => {
    const userInfo = { email: 'b@example.com', email_verified: true, groups: ['g'] };
    expect(read({ email: 'a@example.com' }, userInfo)).toMatchObject({ email: 'a@example.com', verifiedEmail: null });
    expect(read({ email_verified: true }, { email: 'b@example.com' }).verifiedEmail).toBeNull();
    expect(read({}, userInfo)).toMatchObject({ verifiedEmail: 'b@example.com', groups: ['g'] });
  });

  it('has the groups as they are named, one alone too, and null when there is no such claim', () => {
    expect(read({ groups: ['a', '/b'] }).groups).toEqual(['a', '/b']);
    expect(read({ groups: 'a' }).groups).toEqual(['a']);
    expect(read({ groups: [] }).groups).toEqual([]);
    for (const groups of [undefined, 7, [7], { a: 1 }]) expect(read({ groups }).groups).toBeNull();
  });

  it.each(['no address', 'a@b@c', `${'a'.repeat(250)}@example.com`, 7, ''])('has no e-mail when it is %s', (email) => {
    expect(read({ email, email_verified: true }).email).toBeNull();
  });
});
