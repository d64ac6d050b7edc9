/** The revisions that begin with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** The revision in which each request says who asks and what the client can do; there is no `initialize` and no session. */
export const modernVersion = '2026-07-28';

/** What a client speaks that sends no version (protocol 2025-11-25, Protocol Version Header). */
export const unsaidVersion = '2025-03-26';

/** Which of the two ways of the protocol a request comes by. */
export type Era = 'legacy' | 'modern';
