import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';

/** An app that the user has connected; `lastUsedAt` is Unix ms, null before its first call. */
export type ConnectedApp = Readonly<{ name: string; lastUsedAt: number | null }>;

/** The state of a step: done, current, or later. */
type StepState = 'done' | 'now' | 'later';

/** A user's progress: the connected services and apps, and the state of the three steps. */
type HomeSteps = Readonly<{
  connected: readonly ServiceKey[];
  /** The connected services that do not work. */
  troubled: readonly ServiceKey[];
  apps: readonly ConnectedApp[];
  words: FirstWords | null;
  states: Readonly<{ services: StepState; assistant: StepState; trial: StepState }>;
}>;

/**
 * Determines a user's progress. The team's vault counts as a connected service only for users without permission for
 * any other: the others have yet to connect one of their own.
 */
export function homeSteps(
  { permissions }: User,
  connections: readonly Connection[],
  apps: readonly ConnectedApp[],
  names: ServiceNames,
): HomeSteps {
  const works = ({ state }: Connection): boolean => state !== 'reconnect' && state !== 'degraded';
  const permitted = connections.filter(({ service }) => permissions.includes(service));
  const connected = permitted.filter(works).map(({ service }) => service);
  const troubled = permitted.filter((connection) => !works(connection)).map(({ service }) => service);
  const isOwn = permitted.some((connection) => works(connection) && !connection.isTeams);
  const hasOnlyVault = permissions.every((service) => service === 'vault');
  const isDone = {
    services: isOwn || (hasOnlyVault && connected.length > 0),
    assistant: apps.length > 0,
    trial: apps.some(({ lastUsedAt }) => lastUsedAt !== null),
  };
  const steps = ['services', 'assistant', 'trial'] as const;
  const next = steps.find((name) => !isDone[name]);
  const stateOf = (name: (typeof steps)[number]): StepState =>
    isDone[name] ? 'done' : name === next ? 'now' : 'later';
  const states = { services: stateOf('services'), assistant: stateOf('assistant'), trial: stateOf('trial') };
  return { connected, troubled, apps, words: firstWords(connected, names), states };
}

/** A sentence to try with an assistant, and its service. */
type FirstWords = Readonly<{ sentence: string; service: ServiceKey }>;

/** The sentence for the first connected service that has one, in display order; null without any. */
function firstWords(connected: readonly ServiceKey[], names: ServiceNames): FirstWords | null {
  for (const service of names.keys) {
    const { example } = names.presenceOf(service);
    if (example !== undefined && connected.includes(service)) return { sentence: example, service };
  }
  return null;
}
