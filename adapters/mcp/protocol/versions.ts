/** The revisions that start with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/**
 * The revision in which each request names its client and the client's capabilities; it has neither `initialize` nor
 * sessions.
 */
export const modernVersion = '2026-07-28';

/** The first revision with structured content in the results of tools. */
export const firstWithStructured = '2025-06-18';

/** The revision assumed for a client that sends none (protocol 2025-11-25, Protocol Version Header). */
export const unsaidVersion = '2025-03-26';

/** The era of a request's protocol revision. */
export type Era = 'legacy' | 'modern';
