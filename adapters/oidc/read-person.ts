import { z } from 'zod';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import { emailKeyOf, isEmail } from '#domain/users/email.ts';

/** The issuer of Google accounts. */
const google = 'https://accounts.google.com';

/** True in each way that providers write it. */
const yes = z.union([z.literal(true), z.literal('true'), z.literal(1), z.literal('1')]);

/** The claims that are read, of an ID token or of the user-info endpoint; what does not fit counts as absent. */
const claimsSchema = z.object({
  email: z.string().max(254).refine(isEmail).optional().catch(undefined),
  email_verified: yes.optional().catch(undefined),
  /** Entra ID: whether the tenant owns the e-mail’s domain, in place of `email_verified`. */
  xms_edov: yes.optional().catch(undefined),
  /** Google: the organization whose account it is. */
  hd: z.string().optional().catch(undefined),
  groups: z
    .union([z.array(z.string()), z.string().transform((group) => [group])])
    .optional()
    .catch(undefined),
});

/** The claims of one source. */
export type Claims = z.output<typeof claimsSchema>;

/** Reads the claims of one source. */
export function readClaims(given: unknown): Claims {
  return claimsSchema.parse(given);
}

/**
 * Returns the person of an ID token, whose claims come before those of the user-info endpoint (null when it was not
 * asked). An e-mail and whether it is verified are taken from one source.
 */
export function personOf(
  { iss, sub }: Readonly<{ iss: string; sub: string }>,
  token: Claims,
  userInfo: Claims | null,
): ProviderPerson {
  const source = token.email === undefined && userInfo !== null ? userInfo : token;
  const email = source.email ?? null;
  return {
    issuer: iss,
    subject: sub,
    email,
    verifiedEmail: email !== null && isVerified(iss, email, source) ? email : null,
    groups: token.groups ?? userInfo?.groups ?? null,
  };
}

/**
 * Whether the provider says that the e-mail is the person’s. Google verifies other providers’ addresses once only, so
 * that one counts which is of the account’s organization, or Gmail’s own.
 */
function isVerified(issuer: string, email: string, { email_verified, xms_edov, hd }: Claims): boolean {
  if (email_verified === undefined && xms_edov === undefined) return false;
  if (issuer !== google) return true;
  const domain = emailKeyOf(email).split('@').at(-1) ?? '';
  return domain === 'gmail.com' || domain === hd?.toLowerCase();
}
