/** Allows everything; for load tests on a local machine. */
export const noRateLimits = {
  take: async (): Promise<Readonly<{ ok: true; value: null }>> => ({ ok: true, value: null }),
  giveBack: async (): Promise<void> => {},
  forget: async (): Promise<void> => {},
};
