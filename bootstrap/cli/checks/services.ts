import { type Finding, good, look } from '#bootstrap/cli/checks/finding.ts';
import type { Settings } from '#bootstrap/settings.ts';
import type { WebhookServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** What the settings say of one service. */
type Setup = Readonly<{
  service: WebhookServiceKey;
  prefix: 'SALES_CRM' | 'SIGNING' | 'SUITE_CRM' | 'TRACKER';
  own: string;
  secretName: string;
  /** Whether people can connect with a key of their own, without the app. */
  hasKeys: boolean;
}>;

const setups: readonly Setup[] = [
  {
    service: 'sales_crm',
    prefix: 'SALES_CRM',
    own: 'pipedrive',
    secretName: 'SALES_CRM_WEBHOOK_SECRET',
    hasKeys: true,
  },
  { service: 'signing', prefix: 'SIGNING', own: 'pandadoc', secretName: 'SIGNING_WEBHOOK_KEY', hasKeys: true },
  { service: 'suite_crm', prefix: 'SUITE_CRM', own: 'zoho', secretName: 'SUITE_CRM_WEBHOOK_TOKEN', hasKeys: false },
  { service: 'tracker', prefix: 'TRACKER', own: 'linear', secretName: 'TRACKER_WEBHOOK_SECRET', hasKeys: true },
];

/** Each of the four services: its dialect, address, app and webhook secrets, and the first thing that is missing. */
export function checkServices(
  settings: Settings,
  secrets: Readonly<Record<WebhookServiceKey, readonly string[]>>,
  names: ServiceNames,
): readonly Finding[] {
  return setups.map((setup) =>
    checkService(setup, settings, { secretCount: secrets[setup.service].length, name: names[setup.service] }),
  );
}

function checkService(
  setup: Setup,
  settings: Settings,
  { secretCount, name }: Readonly<{ secretCount: number; name: string }>,
): Finding {
  const { prefix, own, secretName, hasKeys } = setup;
  const dialect = settings[`${prefix}_DIALECT`];
  const address = settings[`${prefix}_URL`];
  const [clientId, clientSecret] = [settings[`${prefix}_CLIENT_ID`], settings[`${prefix}_CLIENT_SECRET`]];
  const authorizeUrl = settings[`${prefix}_AUTHORIZE_URL`];
  const tokenUrl = settings[`${prefix}_TOKEN_URL`];
  const isOwn = dialect !== 'neutral';
  if (address === undefined && !isOwn) {
    return look(`${name}: not set up`, `set ${prefix}_DIALECT=${own}, or ${prefix}_URL`);
  }
  const hasApp = clientId !== undefined && clientSecret !== undefined;
  const hasWay = isOwn || (authorizeUrl !== undefined && tokenUrl !== undefined);
  const signIn = hasApp && hasWay ? 'OAuth app' : hasKeys ? 'keys only, no OAuth app' : 'no OAuth app';
  const appText =
    secretCount === 0 ? 'no webhook secret' : `${secretCount} webhook ${secretCount === 1 ? 'secret' : 'secrets'}`;
  const what = `${name}: ${dialect} at ${address ?? 'the provider’s own address'}; ${signIn}; ${appText}`;
  const missing = [
    ...(hasApp ? [] : [`${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET to connect by OAuth`]),
    ...(hasApp && !hasWay ? [`${prefix}_AUTHORIZE_URL and ${prefix}_TOKEN_URL to connect by OAuth`] : []),
    ...(secretCount === 0 ? [`${secretName} to take deliveries, which are refused with 401 now`] : []),
  ];
  return missing.length === 0 ? good(what) : look(what, `set ${missing.join('; and ')}`);
}
