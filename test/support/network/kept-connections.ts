/**
 * Options of a `node:http` server that keeps connections nobody uses: by default it closes them after 5 s, and where a process stood still
 * meanwhile, in the moment in which the next request is sent on one. A request that may have changed something is not sent again.
 */
export const keptConnections = { keepAliveTimeout: 3_600_000 } as const;
