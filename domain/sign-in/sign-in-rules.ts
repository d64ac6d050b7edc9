/** How long a sign-in waits for the browser to return from the identity provider, in ms: ten minutes. */
export const signInLifetimeMs = 600_000;

/** The maximum length of the authorization request that a sign-in carries on, in characters. */
export const maxAuthorizeLength = 6_000;
