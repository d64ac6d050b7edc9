import type { Identity } from '#domain/sign-in/identity.ts';

/**
 * A person as an identity provider describes them, after its signature was verified. `verifiedEmail` is null when the
 * provider gave no e-mail, or does not say that it is theirs.
 */
export type ProviderPerson = Identity &
  Readonly<{
    email: string | null;
    verifiedEmail: string | null;
    /** Null when the provider sent none, which is not the same as being in no group. */
    groups: readonly string[] | null;
  }>;
