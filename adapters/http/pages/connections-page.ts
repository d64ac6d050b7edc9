import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { connectionForms } from '#adapters/http/connection-forms.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { whomToAsk } from '#adapters/http/pages/no-permission.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { ConnectionMethod, ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';
import { isPermitted } from '#domain/users/rights.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

/** The dependencies of the page. */
export type ConnectionsPageDependencies = Readonly<{
  formGuard: FormGuard;
  methods: ConnectionMethods;
  names: ServiceNames;
  users: Pick<Users, 'list'>;
  list: (user: User) => Promise<readonly Connection[]>;
  /** The services that send webhooks. */
  senders: readonly ServiceKey[];
  /** The webhooks registered for the user at a service, and when it last delivered. */
  webhooksOf: (userId: number, service: ServiceKey) => Promise<ServiceRegistrations>;
}>;

const stateTexts = {
  connected: 'Connected',
  unchecked: 'Not checked yet',
  degraded: 'Trouble',
  reconnect: 'Connect again',
  none: 'Not connected',
} as const;

const methodTexts = { oauth: 'OAuth', api_key: 'An API key', personal_token: 'A personal token' } as const;

/** The labels of choices; a choice without one is available by JSON only. */
const choiceTexts: Readonly<Record<string, string>> = {
  data_center: 'Your account’s data centre',
  actor_mode: 'What is done there is done by',
};

/** What counts of a connection are called. */
const countTexts: Readonly<Record<string, string>> = { seats: 'Seats', users: 'Users' };
const valueTexts: Readonly<Record<string, string>> = { user: 'you', app: 'the app' };

/** Serves `/page`: the five services, the status of each, and the actions on it (PAGE-008). No script is needed. */
export function connectionsPage({
  formGuard,
  methods,
  names,
  users,
  list,
  senders,
  webhooksOf,
}: ConnectionsPageDependencies): Route {
  const run = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const connections = new Map((await list(user)).map((connection) => [connection.service, connection]));
    const hiddenFor = (service: ServiceKey, form: string, more: readonly (readonly string[])[] = []) => [
      [formTokenField, formGuard.tokenFor(ctx, form, [String(user.id)])],
      ['service', service],
      ...more,
    ];
    const webhooks = new Map<ServiceKey, ServiceRegistrations>();
    for (const service of senders) {
      if (connections.has(service)) webhooks.set(service, await webhooksOf(user.id, service));
    }
    const services = names.keys.map((service) => {
      const connection = connections.get(service) ?? null;
      const shown = shownService({
        user,
        service,
        name: names.of(service),
        way: methods.find(service),
        connection,
        hiddenFor,
      });
      const registrations = webhooks.get(service);
      const webhook = user.isAdmin ? webhookByHand(names.of(service), registrations) : null;
      return { ...shown, webhook, facts: [...shown.facts, ...webhookFacts(registrations, user)] };
    });
    const isGuest = user.id === guestUserId;
    const asks = await whomToAsk(user, users);
    // Users without any permission get one message; what they connected before can still be disconnected.
    const shown = isGuest || asks !== null ? services.filter(({ state }) => state !== 'none') : services;
    showPage(ctx, 'connections', { services: shown, isGuest, whomToAsk: asks });
  };
  return { method: 'GET', path: '/page', access: 'protected', body: 'none', run };
}

type Shown = Readonly<{
  user: User;
  service: ServiceKey;
  name: string;
  way: ConnectionMethod | null;
  connection: Connection | null;
  hiddenFor: (service: ServiceKey, form: string, more?: readonly (readonly string[])[]) => readonly unknown[];
}>;

function shownService({ user, service, name, way, connection, hiddenFor }: Shown) {
  const state = connection?.state ?? 'none';
  const mayConnect = isPermitted(user, service);
  return {
    service,
    title: name,
    state,
    stateText: stateTexts[state],
    notes: notesOf(way, mayConnect),
    reason: shownText(connection?.reason ?? '', 400),
    facts: connection === null ? [] : factsOf(connection),
    connect: mayConnect && way !== null ? linksOf(service, way, connection) : null,
    key: mayConnect && way !== null ? keyFormOf(service, way, hiddenFor) : null,
    test: connection !== null && mayConnect && way !== null ? hiddenFor(service, connectionForms.test) : null,
    disconnect: connection === null || connection.isTeams ? null : hiddenFor(service, connectionForms.disconnect),
  };
}

function notesOf(way: ConnectionMethod | null, mayConnect: boolean): readonly string[] {
  if (!mayConnect) return ['You have no permission for this service. An administrator can grant it.'];
  if (way === null) return ['This server does not speak to it.'];
  const forKeys = way.keys.method !== null ? way.keys.missing : [];
  const forOAuth = (way.oauth?.missing ?? []).filter((name) => !forKeys.includes(name));
  return [
    ...(forKeys.length === 0 ? [] : [`Not set up on this server: an administrator sets ${listed(forKeys)}.`]),
    ...(forOAuth.length === 0 ? [] : [`To connect by OAuth, an administrator sets ${listed(forOAuth)}.`]),
  ];
}

/** Links and no form: a form's redirects would have to be listed in the content policy, wherever the provider leads. */
function linksOf(service: ServiceKey, { oauth, choices, counts }: ConnectionMethod, connection: Connection | null) {
  if (oauth === null || oauth.missing.length > 0) return null;
  const href = `/connect/${service}`;
  const choice = choices.find(({ name }) => own(choiceTexts, name) !== undefined);
  const verb = connection === null ? 'Connect' : 'Connect again';
  const limits = limitFieldsOf(choices, counts);
  const form =
    limits.plans.length + limits.counts.length === 0
      ? null
      : {
          action: href,
          choice: choice === undefined ? null : { ...choice, label: own(choiceTexts, choice.name) },
          ...limits,
        };
  if (choice === undefined) return { label: null, verb, links: [{ href, text: verb }], form };
  const links = choice.values.map((value) => ({
    href: `${href}?${new URLSearchParams({ [choice.name]: value }).toString()}`,
    text: own(valueTexts, value) ?? value,
  }));
  return { label: own(choiceTexts, choice.name), verb, links, form };
}

/** The rate limits of the user's plan at the provider, which they may enter: without them the lowest apply. */
function limitFieldsOf(choices: ConnectionMethod['choices'], counts: ConnectionMethod['counts']) {
  return {
    plans: choices.find(({ name }) => name === 'plan')?.values ?? [],
    counts: counts.flatMap((name) => {
      const text = own(countTexts, name);
      return text === undefined ? [] : [{ name, text }];
    }),
  };
}

const keyTexts = { api_key: 'API key', personal_token: 'Personal token' } as const;

function keyFormOf(service: ServiceKey, { keys, choices, counts }: ConnectionMethod, hiddenFor: Shown['hiddenFor']) {
  const { method } = keys;
  if (method === null || keys.missing.length > 0) return null;
  return {
    summary: keys.hasOwnAddress ? `Connect a ${keys.noun} of your own` : `Connect with ${articled(keyTexts[method])}`,
    label: keyTexts[method],
    hidden: hiddenFor(service, connectionForms.save, [['auth_method', method]]),
    isVault: keys.hasOwnAddress,
    ...limitFieldsOf(choices, counts),
  };
}

function factsOf({ authMethod, scope, since, expiresAt, isTeams, certificateSha256 }: Connection) {
  if (isTeams)
    return [{ name: 'Whose', text: 'The team’s vault: everybody here who may use it works in it', time: null }];
  return [
    { name: 'By', text: methodTexts[authMethod], time: null },
    { name: 'Since', text: '', time: timeOf(since) },
    ...(expiresAt === null ? [] : [{ name: 'Token until', text: '', time: timeOf(expiresAt) }]),
    ...(scope === null || scope === ''
      ? []
      : [{ name: 'Scope', text: shownText(scope.replaceAll(',', ', '), 600), time: null }]),
    ...(certificateSha256 === null
      ? []
      : [{ name: 'Trusted certificate', text: `SHA-256 ${shownText(certificateSha256, 200)}`, time: null }]),
  ];
}

/** What an administrator needs to set a webhook up by hand, where this server registers none; null where it does. */
function webhookByHand(name: string, registrations: ServiceRegistrations | undefined) {
  const reason = registrations?.failure?.reason;
  if (registrations === undefined || (reason !== 'by_hand' && reason !== 'switched_off')) return null;
  const { address, secretVariable } = registrations.receiver;
  return {
    address,
    text: `To have changes told here, add a webhook with this address in the settings of the ${name}. Set ${secretVariable} to its secret, in the environment or .env of this server, and start it again.`,
  };
}

/** The text for other users where no webhooks are registered: settings are the administrators' to make. */
const forUsers = 'Not set up on this server';

/** Describes a service's webhooks: how many there are, or why there are none, and the last delivery. */
function webhookFacts(registrations: ServiceRegistrations | undefined, { isAdmin }: User) {
  if (registrations === undefined) return [];
  const { failure, webhooks, lastDeliveryAt } = registrations;
  const active = webhooks.filter(({ state }) => state === 'active').length;
  const errors = webhooks.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`]));
  const registered = [`${active} registered`, ...errors].join('; ');
  return [
    {
      name: 'Webhooks',
      text: shownText(
        webhooks.length === 0 && failure !== null ? (isAdmin ? failure.message : forUsers) : registered,
        400,
      ),
      time: null,
    },
    lastDeliveryAt === null
      ? { name: 'Last delivery', text: 'none yet', time: null }
      : { name: 'Last delivery', text: '', time: timeOf(lastDeliveryAt) },
  ];
}

const timeOf = (at: number) => ({ iso: new Date(at).toISOString(), text: timeText.format(at) });

const timeText = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

function articled(noun: string): string {
  return noun.startsWith('API') ? `an ${noun}` : `a ${noun.toLowerCase()}`;
}
