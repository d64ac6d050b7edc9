import type { ConnectionMethod } from '#application/ports/connection-methods.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/** The purposes of the forms on /page, for the form guard. */
export const connectionForms = { save: 'save', disconnect: 'disconnect', connect: 'connect', test: 'test' } as const;

/** Builds the hidden fields of a form for a service. */
export type HiddenFor = (
  service: ServiceKey,
  form: string,
  more?: readonly (readonly string[])[],
) => readonly (readonly string[])[];

/** The choices without which a connection may lead to the wrong place; the others have a default, and are options. */
const essential: ReadonlySet<string> = new Set(['vendor', 'data_center']);

/** The labels of choices; a choice without a label is available through JSON only. */
const choiceTexts: Readonly<Record<string, string>> = {
  vendor: 'Your account is with',
  data_center: 'Your account’s data centre',
  actor_mode: 'Changes are made as',
};

/** The labels of a connection's counts. */
const countTexts: Readonly<Record<string, string>> = { seats: 'Seats', users: 'Users' };
const valueTexts: Readonly<Record<string, string>> = { user: 'you', app: 'the app' };
const keyTexts = { api_key: 'API key', personal_token: 'Personal token' } as const;

/**
 * How a service is connected by OAuth; null where it cannot be. Without `choices` it is a link. With them, and with
 * `options`, limits or texts, it is a form, answered with a page that redirects: the content security policy forbids redirecting a form to the provider.
 */
export function oauthFormOf(
  service: ServiceKey,
  { oauth, choices, counts, texts }: ConnectionMethod,
  connection: Connection | null,
) {
  if (oauth === null || oauth.missing.length > 0) return null;
  const href = `/connect/${service}`;
  const verb = connection === null || connection.isTeams ? 'Connect' : 'Connect again';
  const limits = limitFieldsOf(choices, counts);
  const isEssential = ({ name }: Readonly<{ name: string }>): boolean => essential.has(name);
  const shown = shownChoices(choices, connection);
  const options = shown.filter((choice) => !isEssential(choice));
  const isForm = options.length + limits.plans.length + limits.counts.length + texts.length > 0;
  return { href, verb, choices: shown.filter(isEssential), options, ...limits, texts, isForm };
}

/** How a service is connected by a key or token; null where it cannot be. */
export function keyFormOf(
  service: ServiceKey,
  { keys, choices, counts, texts }: ConnectionMethod,
  { hiddenFor, connection }: Readonly<{ hiddenFor: HiddenFor; connection: Connection | null }>,
) {
  const { method } = keys;
  if (method === null || keys.missing.length > 0) return null;
  return {
    summary: keys.hasOwnAddress ? `Connect a ${keys.noun} of your own` : `Connect with ${articled(keyTexts[method])}`,
    label: keyTexts[method],
    hidden: hiddenFor(service, connectionForms.save, [['auth_method', method]]),
    isVault: keys.hasOwnAddress,
    choices: shownChoices(
      choices.filter(({ name }) => name === 'vendor'),
      connection,
    ),
    ...limitFieldsOf(choices, counts),
    texts,
  };
}

/** The choices that have a label, the vendor of the connection first among its values. */
function shownChoices(choices: ConnectionMethod['choices'], connection: Connection | null) {
  const current = connection?.vendor;
  return choices.flatMap(({ name, values, texts = valueTexts }) => {
    const label = own(choiceTexts, name);
    const shown = values.map((value) => ({ value, text: own(texts, value) ?? value, isCurrent: value === current }));
    return label === undefined ? [] : [{ name, label, values: shown }];
  });
}

/** The fields for the rate limits of the user’s plan at the provider. */
function limitFieldsOf(choices: ConnectionMethod['choices'], counts: ConnectionMethod['counts']) {
  return {
    plans: choices.find(({ name }) => name === 'plan')?.values ?? [],
    counts: counts.flatMap((name) => {
      const text = own(countTexts, name);
      return text === undefined ? [] : [{ name, text }];
    }),
  };
}

function articled(noun: string): string {
  return noun.startsWith('API') ? `an ${noun}` : `a ${noun.toLowerCase()}`;
}
