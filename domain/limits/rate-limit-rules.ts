/** The server's own limits (REG-015, TOKEN-014, AUTH-020): the `points` that a key may take in `durationS` seconds. */
export const rateLimitRules = {
  /** Registrations by one address. */
  register: { points: 60, durationS: 60 },
  /** Token exchanges by one address. */
  token: { points: 600, durationS: 60 },
  /** Failed logins for one e-mail from one address: the owner, at another address, is not locked out. */
  login_email: { points: 10, durationS: 900 },
  /** Failed logins from one address. */
  login_address: { points: 100, durationS: 900 },
} as const;

/** How many MCP messages one user may send at once, and per second for long (MCP-019). */
export const messageLimit = { burst: 600, perSecond: 20 } as const;

/** The name of a limit. */
export type RateLimitName = keyof typeof rateLimitRules;
