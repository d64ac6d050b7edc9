import { shownAge, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import type { StatedConnection } from '#application/ports/connections.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';
import { type UserState, userStateOf } from '#domain/users/user-state.ts';

/** For whom users are shown, and what is marked among them. */
export type UserShowing = Readonly<{
  names: ServiceNames;
  automationId: number;
  viewerId: number;
  reader: TimeReader;
}>;

const states: Readonly<Record<UserState, Readonly<{ text: string; kind: string }>>> = {
  invited: { text: 'Invited', kind: 'warn' },
  active: { text: 'Active', kind: 'good' },
  deactivated: { text: 'Deactivated', kind: 'bad' },
};

/** The states as choices of a filter. */
export function stateChoices(chosen: UserState | undefined) {
  return Object.entries(states).map(([id, { text }]) => ({ id, text, isChosen: id === chosen }));
}

/** The services as choices; those in `ticked` are chosen. */
export function serviceChoices(names: ServiceNames, ticked: readonly ServiceKey[]) {
  return names.keys.map((key) => ({ key, name: names.of(key), isTicked: ticked.includes(key) }));
}

/** A user as a row of the table. `stated` are the connections of all users of the page. */
export function userRow(user: User, stated: readonly StatedConnection[], showing: UserShowing) {
  const { names } = showing;
  const own = stated.filter(({ userId, isTeams }) => userId === user.id && !isTeams);
  return {
    ...shownUser(user, showing),
    services: user.permissions.map((key) => names.of(key)).join(', '),
    connections: own.map(({ service }) => names.of(service)).join(', '),
    isBroken: own.some(({ state }) => state === 'reconnect' || state === 'degraded'),
  };
}

/** A user as their own page and each row show them. */
export function shownUser(user: User, { automationId, viewerId, reader }: UserShowing) {
  const { id, email, name = null, isAdmin, seenAt = null } = user;
  const state = userStateOf(user);
  const isYou = id === viewerId;
  const isAutomation = id === automationId;
  return {
    id,
    email,
    name: name ?? '',
    isAdmin,
    isYou,
    isAutomation,
    state: states[state],
    isActive: state !== 'deactivated',
    mayLeave: !isYou && !isAutomation,
    seen: seenAt === null ? null : shownAge(seenAt, reader),
  };
}

/** A user's connections as rows; the team's vault cannot be disconnected. */
export function connectionRows(connections: readonly Connection[], names: ServiceNames) {
  return connections.map(({ service, state, isTeams }) => ({
    service,
    name: names.of(service),
    state: isTeams ? 'the team’s' : state,
    kind: state === 'connected' ? 'good' : state === 'unchecked' ? 'plain' : 'warn',
    isTeams,
  }));
}

/** A user's apps as rows. */
export function appRows(apps: readonly AppGrant[], reader: TimeReader) {
  return apps.map(({ id, clientName, lastUsedAt }) => ({
    id,
    name: shownClientName(clientName),
    lastUsed: lastUsedAt === null ? null : shownAge(lastUsedAt, reader),
  }));
}

/** What happens to users who are deactivated or deleted, as sentences of the page that asks for confirmation. */
export function leavingEffects(isDelete: boolean): readonly string[] {
  return [
    'They are signed out of every browser and app, and running streams end.',
    'Their connections are removed: tokens are revoked at the provider where it has a way to, and deleted here.',
    'Changes of apps that wait for them, and what takes changes back, are removed.',
    isDelete
      ? 'Their account and all that is theirs is erased. The activity and the audit log keep their number, not their e-mail. This cannot be undone.'
      : 'Their account stays: they can be activated again, and then connect their services again.',
  ];
}
