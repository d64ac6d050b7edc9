import type { ShownTime } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import type { ConnectionMethod } from '#application/ports/connection-methods.ts';
import type { ServiceRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Connection } from '#domain/connections/connection.ts';
import { listed } from '#domain/text/listed.ts';

/** A line of the details: a name, and a text or a time. */
type Fact = Readonly<{ name: string; text: string; time: ShownTime | null }>;

const methodTexts = { oauth: 'OAuth', api_key: 'An API key', personal_token: 'A personal token' } as const;

const textFact = (name: string, text: string): Fact => ({ name, text, time: null });
/** Formats a time (Unix ms) in the viewer's time zone. */
type ShowTime = (at: number) => ShownTime;

const timeFact = (name: string, time: ShownTime): Fact => ({ name, text: '', time });

/** The details of a connection that every user may see, collapsed. */
export function factsOf(
  { service, authMethod, since, isTeams, certificateSha256 }: Connection,
  at: ShowTime,
): readonly Fact[] {
  const whose =
    service === 'vault' ? 'The team: everybody who may use the vault shares it' : 'Everybody who may use it';
  if (isTeams) return [textFact('Owner', whose)];
  return [
    textFact('Connected by', methodTexts[authMethod]),
    timeFact('Since', at(since)),
    ...(certificateSha256 === null
      ? []
      : [textFact('Trusted certificate', `SHA-256 ${shownText(certificateSha256, 200)}`)]),
  ];
}

/** The details that only administrators see, collapsed: why it is disconnected, token expiry, scope, and webhooks. */
export function operatorFacts(
  { scope, expiresAt, isTeams, state, reason }: Connection,
  registrations: ServiceRegistrations | undefined,
  at: ShowTime,
): readonly Fact[] {
  if (isTeams) return [];
  return [
    ...(state !== 'reconnect' || reason === null ? [] : [textFact('Reason', shownText(reason, 400))]),
    ...(expiresAt === null ? [] : [timeFact('Token until', at(expiresAt))]),
    ...(scope === null || scope === '' ? [] : [textFact('Scope', shownText(scope.replaceAll(',', ', '), 600))]),
    ...webhookFacts(registrations, at),
  ];
}

/** What an administrator has to configure before every connection method of a service works. */
export function operatorNotes(way: ConnectionMethod | null): readonly string[] {
  if (way === null) return [];
  const forKeys = way.keys.method !== null ? way.keys.missing : [];
  const forOAuth = (way.oauth?.missing ?? []).filter((name) => !forKeys.includes(name));
  return [
    ...(forKeys.length === 0 ? [] : [`Not set up on this server: an administrator sets ${listed(forKeys)}.`]),
    ...(forOAuth.length === 0 ? [] : [`To connect by OAuth, an administrator sets ${listed(forOAuth)}.`]),
  ];
}

/** What an administrator needs to register a webhook by hand, where this server cannot; null where it can. */
export function webhookByHand(name: string, registrations: ServiceRegistrations | undefined) {
  const reason = registrations?.failure?.reason;
  if (registrations === undefined || (reason !== 'by_hand' && reason !== 'switched_off')) return null;
  const { address, secretVariable } = registrations.receiver;
  return {
    address,
    text: `To receive changes here, add a webhook with this address in the settings of the ${name}. Enter its secret under Set up providers, or set ${secretVariable} and restart this server.`,
  };
}

/** Describes a service's webhooks: how many are registered, or why none are, and the last delivery. */
function webhookFacts(registrations: ServiceRegistrations | undefined, at: ShowTime): readonly Fact[] {
  if (registrations === undefined) return [];
  const { failure, webhooks, lastDeliveryAt } = registrations;
  const active = webhooks.filter(({ state }) => state === 'active').length;
  const errors = webhooks.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`]));
  const registered = [`${active} registered`, ...errors].join('; ');
  return [
    textFact('Webhooks', shownText(webhooks.length === 0 && failure !== null ? failure.message : registered, 400)),
    lastDeliveryAt === null ? textFact('Last delivery', 'none yet') : timeFact('Last delivery', at(lastDeliveryAt)),
  ];
}
