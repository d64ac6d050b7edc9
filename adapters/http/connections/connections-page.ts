import { iconOf } from '#adapters/http/answers/glyphs.ts';
import { whomToAsk } from '#adapters/http/answers/no-permission.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { factsOf, operatorFacts, operatorNotes, webhookByHand } from '#adapters/http/connections/connection-facts.ts';
import {
  connectionForms,
  type HiddenFor,
  keyFormOf,
  oauthFormOf,
} from '#adapters/http/connections/connection-method-forms.ts';
import { statusTextOf } from '#adapters/http/connections/connection-status-text.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { ConnectionMethod, ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';
import { isPermitted } from '#domain/users/rights.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

type ConnectionsPageDependencies = Readonly<{
  formGuard: FormGuard;
  methods: ConnectionMethods;
  names: ServiceNames;
  catalog: Readonly<{ operations: readonly Pick<OperationInfo, 'service' | 'tool' | 'title' | 'effect'>[] }>;
  users: Pick<Users, 'page'>;
  list: (user: User) => Promise<readonly Connection[]>;
  /** The services that send webhooks. */
  senders: readonly ServiceKey[];
  /** The webhooks registered for the user at a service, and when it last delivered one. */
  webhooksOf: (userId: number, service: ServiceKey) => Promise<ServiceRegistrations>;
  /** When an app last called an operation of the service on the user's behalf, Unix ms; null when none did. */
  lastUsed: (userId: number, service: ServiceKey) => Promise<number | null>;
  /** Now, in Unix ms. */
  now: () => number;
}>;

/** The outcome of an action on a service, shown on its card. */
export type ConnectionNotice = Readonly<{ service: ServiceKey; kind: 'good' | 'warn' | 'bad'; text: string }>;

/** Answers a request with the page, also after an action; the status then tells programs how it went. */
export type ShowConnections = (ctx: RouteContext, status: number, notice: ConnectionNotice | null) => Promise<void>;

/** Builds the page of the services: the status of each, and its actions (PAGE-008). Works without script. */
export function connectionsPage(dependencies: ConnectionsPageDependencies): ShowConnections {
  const { formGuard, names, users, list, senders, webhooksOf, lastUsed } = dependencies;
  return async (ctx, status, notice) => {
    const user = userOf(ctx);
    const connections = new Map((await list(user)).map((connection) => [connection.service, connection]));
    const hiddenFor: HiddenFor = (service, form, more = []) => [
      [formTokenField, formGuard.tokenFor(ctx, form, [String(user.id)])],
      ['service', service],
      ...more,
    ];
    const webhooks = new Map<ServiceKey, ServiceRegistrations>();
    for (const service of user.isAdmin ? senders : []) {
      if (connections.has(service)) webhooks.set(service, await webhooksOf(user.id, service));
    }
    const used = new Map<ServiceKey, number | null>();
    for (const service of connections.keys()) used.set(service, await lastUsed(user.id, service));
    const services = names.keys.map((service) =>
      shownService(dependencies, {
        user,
        service,
        connection: connections.get(service) ?? null,
        registrations: webhooks.get(service),
        usedAt: used.get(service) ?? null,
        hiddenFor,
        notice: notice?.service === service ? notice : null,
      }),
    );
    const isGuest = user.id === guestUserId;
    const asks = await whomToAsk(user, users);
    // Users without any permission get one message; services they connected earlier can still be disconnected.
    const shown = services.filter(
      ({ isConnected, mayConnect }) => isConnected || (!isGuest && asks === null && mayConnect),
    );
    const without = isGuest || asks !== null ? [] : services.filter((service) => !shown.includes(service));
    const withoutPermission = listed(without.map(({ title }) => title));
    showPage(
      ctx,
      'connections',
      { services: shown, withoutPermission, isGuest, isAdmin: user.isAdmin, whomToAsk: asks },
      { status },
    );
  };
}

/** Serves the page at `/page`. */
export function connectionsPageRoute(show: ShowConnections): Route {
  return { method: 'GET', path: '/page', who: 'person-or-app', body: 'none', run: (ctx) => show(ctx, 200, null) };
}

type Shown = Readonly<{
  user: User;
  service: ServiceKey;
  connection: Connection | null;
  registrations: ServiceRegistrations | undefined;
  usedAt: number | null;
  hiddenFor: HiddenFor;
  notice: ConnectionNotice | null;
}>;

function shownService(
  { methods, names, catalog, now }: ConnectionsPageDependencies,
  { user, service, connection, registrations, usedAt, hiddenFor, notice }: Shown,
) {
  const way = methods.find(service);
  const mayConnect = isPermitted(user, service);
  const name = names.of(service);
  const open = mayConnect ? way : null;
  const todo = todoOf(connection, open);
  const reader = timeReader(user, now());
  const at = (time: number) => shownTime(time, reader.timeZone);
  const vendor = vendorIn(way, connection);
  const oauth = open === null ? null : oauthFormOf(service, open, connection);
  const key = open === null ? null : keyFormOf(service, open, { hiddenFor, connection });
  const disconnect = connection === null || connection.isTeams ? null : hiddenFor(service, connectionForms.disconnect);
  const facts = connection === null ? [] : factsOf(connection, at);
  const operator = user.isAdmin
    ? {
        notes: mayConnect ? operatorNotes(way) : [],
        facts: connection === null ? [] : operatorFacts(connection, registrations, at),
        webhook: webhookByHand(name, registrations),
      }
    : null;
  const hasDetails =
    facts.length > 0 ||
    disconnect !== null ||
    (operator?.notes ?? []).length > 0 ||
    (operator?.webhook ?? null) !== null;
  const hasAdvanced =
    hasDetails || (oauth !== null && (todo !== 'oauth' || oauth.isForm)) || (key !== null && todo !== 'key');
  return {
    service,
    mayConnect,
    title: vendor === null ? name : `${name} (${vendor})`,
    mark: iconOf(names.presenceOf(service).icon),
    isConnected: connection !== null,
    status: statusTextOf(connection, way, { mayConnect, isAdmin: user.isAdmin, name }),
    lastUsed: usedAt === null ? null : shownAge(usedAt, reader),
    reason: connection?.state === 'reconnect' ? '' : shownText(connection?.reason ?? '', 400),
    notice,
    todo,
    toSetUp: user.isAdmin && connection === null && open !== null && todo === null,
    oauth,
    key,
    test: connection !== null && open !== null ? hiddenFor(service, connectionForms.test) : null,
    disconnect,
    facts,
    operator,
    hasDetails,
    hasAdvanced,
    abilities: mayConnect ? abilitiesIn(catalog.operations, service) : null,
  };
}

/** The next action: connect by OAuth, connect by a key, or test; null when there is none. */
function todoOf(connection: Connection | null, way: ConnectionMethod | null): 'oauth' | 'key' | 'test' | null {
  if (way === null || connection?.state === 'connected') return null;
  if (connection !== null && connection.state !== 'reconnect') return 'test';
  const wasByKey = connection !== null && connection.authMethod !== 'oauth';
  const hasKey = way.keys.method !== null && way.keys.missing.length === 0;
  if (wasByKey && hasKey) return 'key';
  if (way.oauth?.missing.length === 0) return 'oauth';
  return hasKey ? 'key' : null;
}

/** What an assistant could do over a connection: reads and writes, by title. */
type ConnectionAbilities = Readonly<{ reads: readonly string[]; writes: readonly string[] }>;

/** The abilities in a service: all operations that are tools. */
function abilitiesIn(
  operations: readonly Pick<OperationInfo, 'service' | 'tool' | 'title' | 'effect'>[],
  service: ServiceKey,
): ConnectionAbilities {
  const tools = operations.filter((operation) => operation.service === service && operation.tool !== null);
  const titles = (isRead: boolean): readonly string[] =>
    tools.filter(({ effect }) => (effect === 'read') === isRead).map(({ title }) => title);
  return { reads: titles(true), writes: titles(false) };
}

/** What people call the vendor of a connection, where the service has several; null otherwise. */
function vendorIn(way: ConnectionMethod | null, connection: Connection | null): string | null {
  const vendor = connection?.vendor ?? null;
  const texts = way?.choices.find(({ name }) => name === 'vendor')?.texts ?? {};
  return vendor === null ? null : (own(texts, vendor) ?? vendor);
}
