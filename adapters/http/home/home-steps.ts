import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
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
): HomeSteps {
  const works = ({ state }: Connection): boolean => state !== 'reconnect' && state !== 'degraded';
  const connected = connections.filter(works).map(({ service }) => service);
  const troubled = connections.filter((connection) => !works(connection)).map(({ service }) => service);
  const isOwn = connections.some((connection) => works(connection) && !connection.isTeams);
  const hasOnlyVault = permissions.every((service) => service === 'vault');
  const isDone = {
    services: isOwn || (hasOnlyVault && connected.length > 0),
    assistant: apps.length > 0,
    trial: apps.some(({ lastUsedAt }) => lastUsedAt !== null),
  };
  const names = ['services', 'assistant', 'trial'] as const;
  const next = names.find((name) => !isDone[name]);
  const stateOf = (name: (typeof names)[number]): StepState =>
    isDone[name] ? 'done' : name === next ? 'now' : 'later';
  const states = { services: stateOf('services'), assistant: stateOf('assistant'), trial: stateOf('trial') };
  return { connected, troubled, apps, words: firstWords(connected), states };
}

/** Sentences to try with an assistant, by service: each only reads, or writes a note. */
const sentences: Readonly<Record<string, string>> = {
  sales_crm: 'Which of my deals are open, and what is the next step for each?',
  tracker: 'Which issues are assigned to me, and which of them is the most urgent?',
  signing: 'Which documents are waiting for a signature, and whose?',
  suite_crm: 'Show me the five newest leads, with how each came to us.',
  vault: 'Write a note named “First steps” in my vault: what can you do for me with Portolan?',
};

/** A sentence to try with an assistant, and its service. */
type FirstWords = Readonly<{ sentence: string; service: ServiceKey }>;

/** The sentence for the first connected service that has one; null without any. */
function firstWords(connected: readonly ServiceKey[]): FirstWords | null {
  const service = Object.keys(sentences).find((key) => connected.some((each) => each === key));
  const sentence = service === undefined ? undefined : own(sentences, service);
  const key = connected.find((each) => each === service);
  return sentence === undefined || key === undefined ? null : { sentence, service: key };
}
