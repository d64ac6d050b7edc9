const firstWaitMs = 10_000;
const maxWaitMs = 120_000;

/** The maximum wait that a provider can ask for, in ms: an hour. */
const maxAskedMs = 3_600_000;

/**
 * Returns how long no further renewal is attempted after `failures` consecutive ones returned no tokens, in ms: 10 s,
 * doubled up to two minutes, or longer if the provider asks for it (RENEW-010).
 */
export function renewalWaitMs(failures: number, askedMs = 0): number {
  const grown = Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 10));
  return Math.max(grown, Math.min(askedMs, maxAskedMs));
}
