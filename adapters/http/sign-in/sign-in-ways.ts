/** The ways in that the sign-in page offers. */
export type SignInWays = Readonly<{
  /** Whether people sign in by e-mail and password. */
  passwords: boolean;
  /** The host of the identity provider; null without one. */
  providerHost: string | null;
}>;

/** The address at which a browser is sent to the identity provider. */
export const providerPath = '/login/oidc';

/** What a form of passwords is answered with where they are off (OIDC-017). */
export const passwordsOff = {
  status: 403,
  banner: 'This server takes no passwords. Sign in with single sign-on.',
} as const;
