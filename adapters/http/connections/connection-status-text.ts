import type { ConnectionMethod } from '#application/ports/connection-methods.ts';
import type { Connection } from '#domain/connections/connection.ts';

/** A connection's status in plain words: a label, its colour, and a sentence. */
type StatusText = Readonly<{ label: string; kind: 'good' | 'warn' | 'bad' | 'plain'; sentence: string }>;

const texts = {
  connected: { label: 'Connected', kind: 'good', sentence: 'Works.' },
  unchecked: {
    label: 'Not checked yet',
    kind: 'warn',
    sentence: 'Saved, but not reachable yet. Test it when it should be up.',
  },
  degraded: {
    label: 'Trouble',
    kind: 'warn',
    sentence: 'Does not work at the moment. It is retried automatically.',
  },
  reconnect: { label: 'Disconnected', kind: 'bad', sentence: '' },
} as const;

const noLonger = {
  label: 'No longer permitted',
  kind: 'warn',
  sentence: 'You no longer have permission for this service. You can disconnect it.',
} as const;

const none = { label: 'Not connected', kind: 'plain' } as const;

/** The status of a service for its user, by its connection (null without one) and the way to connect it; `name` is the service's. */
export function statusTextOf(
  connection: Connection | null,
  way: ConnectionMethod | null,
  user: Readonly<{ mayConnect: boolean; isAdmin: boolean; name: string }>,
): StatusText {
  if (connection !== null && !user.mayConnect) return noLonger;
  if (connection?.isTeams === true && connection.state === 'connected') {
    const what =
      connection.service === 'vault'
        ? 'Everybody who may use it shares the same notes.'
        : 'Nobody has to connect to it.';
    return { ...texts.connected, sentence: `Works. ${what}` };
  }
  if (connection?.state === 'reconnect') {
    return { ...texts.reconnect, sentence: `${whyDisconnected(connection, user.name)} Connect again.` };
  }
  if (connection !== null) return texts[connection.state];
  if (!user.mayConnect) {
    return { ...none, sentence: 'You do not have permission for this service. An administrator can grant it.' };
  }
  if (way === null) return { ...none, sentence: 'This server does not support it.' };
  if (isOpen(way)) return { ...none, sentence: 'Connect it so that your assistant can use it.' };
  const whose = user.isAdmin ? 'You can do that.' : 'An administrator can do that.';
  return { ...none, sentence: `Not set up on this server yet. ${whose}` };
}

function whyDisconnected({ authMethod, reason }: Connection, name: string): string {
  if (reason?.startsWith('The stored credentials') === true) return 'Its stored credentials cannot be read here.';
  return `${name} no longer accepts this ${authMethod === 'oauth' ? 'sign-in' : 'key'}.`;
}

/** Whether there is a connection method that needs no further configuration. */
function isOpen({ oauth, keys }: ConnectionMethod): boolean {
  return oauth?.missing.length === 0 || (keys.method !== null && keys.missing.length === 0);
}
