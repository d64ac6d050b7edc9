import { hash } from 'node:crypto';

/** Who a person is at an identity provider. A subject is unique within its issuer only (OpenID Connect Core §2). */
export type Identity = Readonly<{ issuer: string; subject: string }>;

/**
 * The sign-in of a user at an identity provider. `userId` is null once its user was deleted: the identity is still
 * known, so that they are not made again. Times are Unix ms.
 */
export type LinkedIdentity = Readonly<{
  /** A digest of the issuer and the subject (`identityIdOf`). */
  id: string;
  userId: number | null;
  issuer: string;
  /** The e-mail that the provider gave last; null when it gave none. */
  email: string | null;
  linkedAt: number;
  lastUsedAt: number | null;
}>;

/** Returns the id under which an identity is stored: one-way, and different for each issuer and subject. */
export function identityIdOf({ issuer, subject }: Identity): string {
  return hash('sha256', JSON.stringify([issuer, subject]), 'base64url');
}
