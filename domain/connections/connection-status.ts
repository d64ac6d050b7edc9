import type { Rejections } from '#domain/connections/rejections.ts';

/**
 * The states of a connection. `connected` works; `unchecked` was stored while the provider was unreachable; `degraded`
 * failed to renew or was rejected, and is retried; `reconnect` was rejected for so long that the user has to connect
 * again.
 */
export const connectionStates = ['connected', 'unchecked', 'degraded', 'reconnect'] as const;

/** One of the four connection states. */
export type ConnectionState = (typeof connectionStates)[number];

/** The status of a connection: its state, since when (Unix ms), and why; `reason` is null while it works. */
export type ConnectionStatus = Readonly<{
  state: ConnectionState;
  since: number;
  reason: string | null;
  /** The provider's rejections of its credentials; null or absent when there are none. */
  rejections?: Rejections | null;
}>;

/** Returns the status of credentials that were stored at `since` (Unix ms) and have had no error since. */
export function connectedSince(since: number): ConnectionStatus {
  return { state: 'connected', since, reason: null };
}

/**
 * Returns the effective status of credentials stored at `updatedAt` (Unix ms): the kept status, or `connected` when
 * there is none or when it predates these credentials.
 */
export function statusOf(updatedAt: number, kept: ConnectionStatus | null): ConnectionStatus {
  const isOutdated = kept !== null && kept.state !== 'connected' && kept.since < updatedAt;
  return kept === null || isOutdated ? connectedSince(updatedAt) : kept;
}

const unreadable = {
  unknown_key:
    'The stored credentials cannot be decrypted: they were encrypted with a different secret. An administrator ' +
    'can set SECRET_KEY_BASE_PREVIOUS to the former one.',
  damaged: 'The stored credentials are damaged in the database: no secret can decrypt them.',
} as const;

/**
 * Returns the status of credentials that were stored at `since` (Unix ms) but cannot be decrypted, because another
 * secret encrypted them, or because they are damaged; retrying cannot repair that.
 */
export function unreadableSince(since: number, why: keyof typeof unreadable): ConnectionStatus {
  return { state: 'reconnect', since, reason: unreadable[why] };
}

/** Whether calls over the connection are suspended, so that only probes are sent. */
export function isHeld({ state, rejections }: ConnectionStatus): boolean {
  return rejections?.probeAt != null || state === 'reconnect';
}

/**
 * Returns why a connection does not work and when it is retried, as one text for calls, pages and lists; null when
 * there is nothing to report.
 */
export function troubleOf(status: ConnectionStatus, now: number): string | null {
  const next = retryText(status, now);
  return next === null ? null : [status.reason, next].filter((text) => text !== null).join(' ');
}

/** Returns when a connection is retried and what the user can do, as text; null when it works. */
function retryText({ state, rejections }: ConnectionStatus, now: number): string | null {
  const reconnect = 'Connect it again on the page /page';
  if (rejections?.probeAt != null) {
    const at = rejections.probeAt <= now ? 'in a moment' : `at ${timeText(rejections.probeAt)}`;
    if (state !== 'reconnect') return `It is retried ${at}, and when you press Test on the page /page.`;
    return `${reconnect}; it is also retried ${at}, and when you press Test there.`;
  }
  if (state === 'reconnect') return `${reconnect}; it is not retried until then.`;
  return state === 'degraded' ? 'It is retried automatically.' : null;
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
