import type { GroupRights } from '#domain/sign-in/group-rights.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import { emailKeyOf } from '#domain/users/email.ts';

/** Whom the server takes in by themselves: people of these e-mail domains, or else members of these groups. */
export type AdmissionPolicy = Readonly<{ domains: readonly string[]; rules: readonly GroupRights[] }>;

/**
 * Whether somebody without account and invitation gets an account at their first sign-in (OIDC-010). Where domains are
 * set, only theirs are taken in, whatever the groups; with neither domains nor groups nobody is.
 */
export function isTakenIn({ domains, rules }: AdmissionPolicy, { verifiedEmail, groups }: ProviderPerson): boolean {
  if (verifiedEmail === null) return false;
  if (domains.length > 0) return domains.includes(domainOf(verifiedEmail));
  return rules.some(({ group }) => groups?.includes(group) === true);
}

/** Returns the domain of an e-mail address, in lower case: what follows its last @. */
export function domainOf(email: string): string {
  const key = emailKeyOf(email);
  return key.slice(key.lastIndexOf('@') + 1);
}
