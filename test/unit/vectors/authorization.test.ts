import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderTemplate } from '#adapters/http/answers/templates.ts';
import { isChallenge, isVerified } from '#domain/oauth/pkce.ts';
import { isAllowedRedirectUri, isRegisteredRedirectUri } from '#domain/oauth/redirect-uri.ts';
import { wordsOf } from '#test/kit/forms.ts';
import { challengeOf } from '#test/kit/kit.ts';
import { readVectors } from '#test/unit/vectors/read-vectors.ts';

const pkce = readVectors(
  'pkce',
  z.object({
    cases: z.array(
      z.object({
        name: z.string(),
        challenge: z.string().nullable(),
        verifier: z.string().nullable(),
        valid: z.boolean(),
      }),
    ),
  }),
);

const redirectUris = readVectors(
  'redirect-uris',
  z.object({
    registration: z.array(z.object({ uri: z.string(), allowed: z.boolean() })),
    authorization: z.array(z.object({ registered: z.array(z.string()), uri: z.string(), matches: z.boolean() })),
  }),
);

const escaping = readVectors(
  'html-escaping',
  z.object({ cases: z.array(z.object({ text: z.string(), html: z.string() })) }),
);

describe('the shared vectors of authorization', () => {
  it.each(pkce.cases)('decide about PKCE: $name (PKCE-001, PKCE-002, PKCE-003)', ({ challenge, verifier, valid }) => {
    expect(isVerified(challenge, verifier)).toBe(valid);
    if (valid && challenge !== null && verifier !== null) {
      expect(isChallenge(challenge)).toBe(true);
      expect(challengeOf(verifier)).toBe(challenge);
    }
  });

  it.each(redirectUris.registration)(
    'decide whether the redirect URI $uri may be registered: $allowed (REG-010, REG-011)',
    ({ uri, allowed }) => {
      expect(isAllowedRedirectUri(uri)).toBe(allowed);
    },
  );

  it.each(redirectUris.authorization)(
    'decide whether $uri is one of $registered: $matches (AUTH-009, AUTH-010, AUTH-011)',
    ({ registered, uri, matches }) => expect(isRegisteredRedirectUri(registered, uri)).toBe(matches),
  );

  it.each(escaping.cases)('decide how a page escapes %o (AUTH-021)', ({ text, html }) => {
    const page = renderTemplate('message', { title: 'A title', text, link: { href: '/', text } });
    expect(page).toContain(`<p>${html}</p>`);
    // The kit reads pages as a browser does.
    expect(wordsOf(`<p>${html}</p>`)).toBe(text);
  });
});
