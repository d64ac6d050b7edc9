/** The server's own rate limits (REG-015, TOKEN-014, AUTH-020, AUTH-032): at most `points` per key in `durationS` seconds. */
export const rateLimitRules = {
  /** Client registrations from one address. */
  register: { points: 60, durationS: 60 },
  /** Sign-ins by the identity provider that one address begins or finishes. */
  sign_in: { points: 240, durationS: 60 },
  /** Token exchanges from one address. */
  token: { points: 600, durationS: 60 },
  /**
   * Failed logins for one e-mail from one address; keyed by both, so that others cannot lock out the account's owner.
   */
  login_email: { points: 10, durationS: 900 },
  /** Failed logins from one address. */
  login_address: { points: 100, durationS: 900 },
  /**
   * Failed logins for one account from any addresses: from each browser in which it has signed in before, and from all
   * others together.
   */
  login_account: { points: 100, durationS: 86_400 },
} as const;

/** Limits the MCP messages of one user: the burst size, and the sustained rate per second (MCP-019). */
export const messageLimit = { burst: 600, perSecond: 20 } as const;

/** The name of a limit. */
export type RateLimitName = keyof typeof rateLimitRules;
