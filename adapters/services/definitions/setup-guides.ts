import type { GuidedSetting, ServiceSetup, SetupGuide } from '#adapters/contracts/setup-guides.ts';
import type { ConfiguredService, Service } from '#adapters/services/definitions/service.ts';
import { settingOf, vendorSetting } from '#adapters/services/definitions/service-settings.ts';
import { own } from '#domain/shared/own.ts';

/** The setup guides of a service as configured on this server, its vendors, and what can be entered for each. */
export function setupOf(
  { service, settings, given, all }: ConfiguredService,
  { enterable, choice }: Pick<ServiceSetup, 'enterable' | 'choice'>,
): ServiceSetup {
  const others = choice.next.slice(1);
  const guides = guidesOf(service).map((guide) => (others.includes(guide.dialect) ? ofOther(service, guide) : guide));
  return {
    service: service.key,
    dialect: settings.dialect,
    dialects: all.map((vendor) => vendor.settings.dialect),
    given,
    guides,
    enterable,
    choice,
  };
}

/** The guide of a vendor that is not the first one: its settings have names of their own. */
function ofOther({ key, variables }: Service, guide: SetupGuide): SetupGuide {
  const dialect = settingOf(key, 'DIALECT');
  const names = new Set(Object.keys(variables).filter((name) => name !== dialect));
  const renamed = (text: string) =>
    text.replaceAll(/\b[A-Z][A-Z0-9_]+\b/g, (name) =>
      names.has(name) ? vendorSetting(key, guide.dialect, name) : name,
    );
  const steps = (texts: readonly string[] | null) => texts?.map(renamed) ?? null;
  return {
    ...guide,
    app: steps(guide.app),
    key: steps(guide.key),
    deliveries: steps(guide.deliveries),
    settings: guide.settings.map((setting) => ({
      ...setting,
      name: renamed(setting.name),
      text: renamed(setting.text),
    })),
  };
}

/** The guides of a service, one per dialect: the vendors' first, the neutral one's last. */
export function guidesOf(service: Service): readonly SetupGuide[] {
  const [neutral = 'neutral', ...vendors] = service.dialects;
  return [...vendors, neutral].map((dialect) => guideOf(service, dialect));
}

function guideOf(service: Service, dialect: string): SetupGuide {
  const { key, title, keyMethod, webhookSecret } = service;
  const { hasOAuth, needs } = needsIn(service, dialect);
  const said = own(service.guides, dialect) ?? {};
  const vendor = own(service.vendors, dialect) ?? null;
  const who = vendor ?? 'the provider';
  const texts = { ...standardTexts(service, { dialect, vendor, needs }), ...said.settings };
  const settingsOf = (isMeant: (vendor: string) => boolean) =>
    service.parts.flatMap((part) => (isMeant(part.name) ? Object.keys(part.settings) : []));
  const [mine, others] = [settingsOf((name) => name === dialect), settingsOf((name) => name !== dialect)];
  const isOurs = (name: string) => mine.includes(name) || !others.includes(name);
  const setting = (name: string): GuidedSetting => ({
    name,
    text: own(texts, name) ?? `A setting of the ${service.noun}.`,
    need: needs.get(name) ?? 'optional',
    value: name === settingOf(key, 'DIALECT') && vendor !== null ? dialect : null,
  });
  return {
    service: key,
    title,
    dialect,
    vendor,
    app: hasOAuth ? (said.app ?? usualApp(who)) : null,
    key: keyMethod === null ? null : (said.key ?? usualKey(who)),
    deliveries: webhookSecret === null ? null : (said.deliveries ?? usualDeliveries(who, webhookSecret)),
    settings: Object.keys(service.variables).filter(isOurs).map(setting).sort(byNeed),
  };
}

type Need = GuidedSetting['need'];

/** What each standard setting is needed for in a dialect when no address is set. */
function needsIn(service: Service, dialect: string) {
  const { key, dialects, webhookSecret } = service;
  const named = (name: string) => settingOf(key, name);
  const spoken = dialects.length > 1 ? { [named('DIALECT')]: dialect } : {};
  const configured = service.configure(spoken);
  const { grants, vendor } = configured;
  const facts = grants?.facts;
  const needs = new Map<string, Need>();
  if (vendor !== null) needs.set(named('DIALECT'), 'speech');
  if (!configured.hasAddress()) needs.set(named('URL'), 'speech');
  if (facts !== undefined) {
    for (const name of ['CLIENT_ID', 'CLIENT_SECRET']) needs.set(named(name), 'oauth');
    if (facts.authorizeUrl({}) === null) needs.set(named('AUTHORIZE_URL'), 'oauth');
    if (facts.tokenUrl({}) === null) needs.set(named('TOKEN_URL'), 'oauth');
  }
  // The secret of the app may be that of its deliveries, too.
  const withApp = service.configure({ ...spoken, [named('CLIENT_SECRET')]: 'given' });
  if (webhookSecret !== null && withApp.webhooks?.secrets.length === 0) needs.set(webhookSecret, 'deliveries');
  return { hasOAuth: grants !== null, needs };
}

const order: readonly Need[] = ['speech', 'oauth', 'deliveries', 'optional'];

function byNeed(left: GuidedSetting, right: GuidedSetting): number {
  return order.indexOf(left.need) - order.indexOf(right.need);
}

function standardTexts(
  { key, noun, webhookSecret }: Service,
  { dialect, vendor, needs }: Readonly<{ dialect: string; vendor: string | null; needs: ReadonlyMap<string, Need> }>,
): Readonly<Record<string, string>> {
  const named = (name: string) => settingOf(key, name);
  const address = (name: string, what: string) =>
    needs.has(named(name))
      ? `The address ${what}.`
      : `The address ${what}, if it is not ${vendor ?? 'the provider'}'s own, such as a proxy or a test server.`;
  return {
    [named('DIALECT')]:
      vendor === null
        ? `\`${dialect}\`, the default.`
        : `\`${dialect}\`: requests${webhookSecret === null ? '' : ' and deliveries'} then have ${vendor}'s format. Several vendors are separated by commas; the settings of all but the first one are named \`${settingOf(key, dialect.toUpperCase())}_…\` then.`,
    [named('URL')]: address('URL', `of the ${noun}, without a path`),
    [named('CLIENT_ID')]: 'The client id of the app.',
    [named('CLIENT_SECRET')]: 'The client secret of the app.',
    [named('AUTHORIZE_URL')]: address('AUTHORIZE_URL', 'where users authorize the app'),
    [named('TOKEN_URL')]: address('TOKEN_URL', 'of the token endpoint'),
    [named('SCOPES')]: 'The scopes to ask for. By default, those that the operations need.',
    ...(webhookSecret === null ? {} : { [webhookSecret]: 'The secret that deliveries are verified with.' }),
  };
}

const usualApp = (who: string): readonly string[] => [
  `Open the developer settings of ${who}, and create an app for OAuth.`,
  'Enter the callback address below, exactly as it stands there.',
  'Copy the client id and the client secret of the app into the settings below.',
];

const usualKey = (who: string): readonly string[] => [
  `Find or create a key in your own account at ${who}.`,
  'Open **Connections** in Portolan, and save it on the card of the service.',
];

const usualDeliveries = (who: string, secret: string): readonly string[] => [
  `Add a webhook with the address below in the settings of ${who}.`,
  `Copy its secret into \`${secret}\`. Without it every delivery is refused.`,
];
