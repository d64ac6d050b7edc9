import type { ConnectionMethod } from '#application/ports/connection-methods.ts';
import type { Connection } from '#domain/connections/connection.ts';

/** A connection's status in plain words: a label, its colour, and a sentence. */
type StatusText = Readonly<{ label: string; kind: 'good' | 'warn' | 'bad' | 'plain'; sentence: string }>;

const texts = {
  connected: { label: 'Connected', kind: 'good', sentence: 'It works.' },
  unchecked: {
    label: 'Not checked yet',
    kind: 'warn',
    sentence: 'It is saved, but could not be reached yet. Test it when it should be up.',
  },
  degraded: {
    label: 'Trouble',
    kind: 'warn',
    sentence: 'It does not work at the moment, and is tried again by itself.',
  },
  reconnect: { label: 'Connect again', kind: 'bad', sentence: 'Access has ended. Connect it again to go on.' },
} as const;

const none = { label: 'Not connected', kind: 'plain' } as const;

/** The status of a service for its user, by its connection (null without one) and the way to connect it. */
export function statusTextOf(
  connection: Connection | null,
  way: ConnectionMethod | null,
  user: Readonly<{ mayConnect: boolean; isAdmin: boolean }>,
): StatusText {
  if (connection?.isTeams === true && connection.state === 'connected') {
    return { ...texts.connected, sentence: 'It works. Everybody here who may use it works in the same notes.' };
  }
  if (connection !== null) return texts[connection.state];
  if (!user.mayConnect) {
    return { ...none, sentence: 'You have no permission for this service. An administrator can grant it.' };
  }
  if (way === null) return { ...none, sentence: 'This server does not speak to it.' };
  if (isOpen(way)) return { ...none, sentence: 'Connect it, and your assistant can work in it.' };
  const whose = user.isAdmin ? 'You can do that.' : 'An administrator can do that.';
  return { ...none, sentence: `It is not set up on this server yet. ${whose}` };
}

/** Whether there is a connection method that needs no further configuration. */
function isOpen({ oauth, keys }: ConnectionMethod): boolean {
  return oauth?.missing.length === 0 || (keys.method !== null && keys.missing.length === 0);
}
