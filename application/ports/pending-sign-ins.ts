/** A sign-in whose browser is at the identity provider. */
export type PendingSignIn = Readonly<{
  /** Identifies the browser that began it. */
  browser: string;
  codeVerifier: string;
  nonce: string;
  /** The query of the authorization request that goes on afterwards; null when users sign in for themselves. */
  authorize: string | null;
  /** The user who links the identity to their account; null for a sign-in. */
  userId: number | null;
  /** The stored session in which they do; null for a sign-in. */
  sessionId: string | null;
  /** Unix ms. */
  startedAt: number;
}>;

/** Stores pending sign-ins by their `state`; bounded, evicts the oldest first. */
export interface PendingSignIns {
  keep(state: string, signIn: PendingSignIn): Promise<void>;
  /** Removes and returns the sign-in, for one caller only; null when there is none, or it was taken before. */
  take(state: string): Promise<PendingSignIn | null>;
}
