import type { Refusals } from '#domain/connections/refusals.ts';

/**
 * What can be said of a connection in a word: `connected` works; `unchecked` was kept while the provider could not be reached; `degraded`
 * cannot be renewed, or is refused, for now, and is tried again; `reconnect` was refused for so long that the user is needed.
 */
export const connectionStates = ['connected', 'unchecked', 'degraded', 'reconnect'] as const;

/** One of the four states. */
export type ConnectionState = (typeof connectionStates)[number];

/** How a connection is: its state, since when (Unix ms), and why; `reason` is null while it works. */
export type ConnectionStatus = Readonly<{
  state: ConnectionState;
  since: number;
  reason: string | null;
  /** What is known of the refusals of its credentials; none while they are not refused. */
  refusals?: Refusals | null;
}>;

/** The status of credentials that nothing is known against, kept at `since` (Unix ms). */
export function connectedSince(since: number): ConnectionStatus {
  return { state: 'connected', since, reason: null };
}

/**
 * The status of credentials that were kept at `updatedAt` (Unix ms), by what is kept of their connection. Without an entry they are as good
 * as they look; an entry from before tells of the credentials that they replaced.
 */
export function statusOf(updatedAt: number, kept: ConnectionStatus | null): ConnectionStatus {
  const isOutdated = kept !== null && kept.state !== 'connected' && kept.since < updatedAt;
  return kept === null || isOutdated ? connectedSince(updatedAt) : kept;
}

/** The status of credentials that were kept at `since` (Unix ms) and cannot be opened: only the user can mend it, or an administrator. */
export function unreadableSince(since: number): ConnectionStatus {
  const reason =
    'The stored credentials cannot be opened: they were sealed with another secret than this server has now. An administrator ' +
    'can give the former one as SECRET_KEY_BASE_PREVIOUS.';
  return { state: 'reconnect', since, reason };
}

/** Whether nothing is sent over the connection but probes. */
export function isHeld({ state, refusals }: ConnectionStatus): boolean {
  return refusals?.probeAt != null || state === 'reconnect';
}

/** Why a connection does not work and when it is looked at again, as one text for calls, pages and lists; null while it works. */
export function troubleOf(status: ConnectionStatus, now: number): string | null {
  const next = nextLook(status, now);
  return next === null ? null : [status.reason, next].filter((text) => text !== null).join(' ');
}

/** When a connection that does not work is looked at again, and what the user can do; null while it works. */
function nextLook({ state, refusals }: ConnectionStatus, now: number): string | null {
  const anew = 'Connect it again on the page /page';
  if (refusals?.probeAt != null) {
    const at = refusals.probeAt <= now ? 'in a moment' : `at ${timeText(refusals.probeAt)}`;
    if (state !== 'reconnect') return `It is tried again ${at}, and when Test is pressed on the page /page.`;
    return `${anew}; it is tried again ${at} as well, and when Test is pressed there.`;
  }
  if (state === 'reconnect') return `${anew}; nothing is tried until then.`;
  return state === 'degraded' ? 'It is tried again by itself.' : null;
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
