import { describe, expect, it } from 'vitest';
import { challengeOf, isChallenge, isVerified } from '#domain/oauth/pkce.ts';

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('PKCE', () => {
  it('accepts the vector of RFC 7636 appendix B (PKCE-001)', () => {
    expect(challengeOf(verifier)).toBe(challenge);
    expect(isVerified(challenge, verifier)).toBe(true);
  });

  it('is skipped when no challenge was sent (PKCE-003)', () => {
    expect(isVerified(null, null)).toBe(true);
    expect(isVerified(null, verifier)).toBe(true);
  });

  it.each([
    ['no verifier', null],
    ['an empty one', ''],
    ['the challenge itself', challenge],
    ['one character less', verifier.slice(0, -1)],
    ['one character more', `${verifier}a`],
    ['padding', `${verifier}=`],
  ])('refuses %s (PKCE-002)', (_, presented) => expect(isVerified(challenge, presented)).toBe(false));

  it('refuses a verifier outside the syntax although its digest fits', () => {
    for (const odd of ['short', 'x'.repeat(129), `${verifier} `]) expect(isVerified(challengeOf(odd), odd)).toBe(false);
  });

  it.each(['', 'abc', `${challenge}=`, `${challenge}a`, challenge.replace('-', '+')])(
    'rejects %j as a challenge',
    (text) => expect(isChallenge(text)).toBe(false),
  );
});
