import { withoutEnd } from '#domain/text/without-end.ts';

/** The addresses of one data centre: its accounts server, which issues tokens, and its API. */
export type DataCenter = Readonly<{ accounts: string; api: string }>;

/** The provider's ten data centres (SUITE-006). */
export const dataCenters = {
  US: { accounts: 'https://accounts.zoho.com', api: 'https://www.zohoapis.com' },
  EU: { accounts: 'https://accounts.zoho.eu', api: 'https://www.zohoapis.eu' },
  IN: { accounts: 'https://accounts.zoho.in', api: 'https://www.zohoapis.in' },
  AU: { accounts: 'https://accounts.zoho.com.au', api: 'https://www.zohoapis.com.au' },
  JP: { accounts: 'https://accounts.zoho.jp', api: 'https://www.zohoapis.jp' },
  CA: { accounts: 'https://accounts.zohocloud.ca', api: 'https://www.zohoapis.ca' },
  CN: { accounts: 'https://accounts.zoho.com.cn', api: 'https://www.zohoapis.com.cn' },
  SA: { accounts: 'https://accounts.zoho.sa', api: 'https://www.zohoapis.sa' },
  UK: { accounts: 'https://accounts.zoho.uk', api: 'https://www.zohoapis.uk' },
  AE: { accounts: 'https://accounts.zoho.ae', api: 'https://www.zohoapis.ae' },
} as const satisfies Readonly<Record<string, DataCenter>>;

/** The name of a data centre. */
export type DataCenterName = keyof typeof dataCenters;

/** The names of all data centres. */
export const dataCenterNames = Object.keys(dataCenters).filter((name): name is DataCenterName => name in dataCenters);

const first: DataCenterName = 'US';

/** Finds a data centre by name in any case ("eu"); null for an unknown name. */
export function dataCenterNamed(name: unknown): DataCenterName | null {
  const wanted = String(name).toUpperCase();
  return dataCenterNames.find((candidate) => candidate === wanted) ?? null;
}

/**
 * The data centre of a connection: the one named in its `extra`, else that of its API's address (`url` is the
 * configured address template); null when neither tells.
 */
export function knownDataCenterOf(extra: Readonly<Record<string, unknown>>, url: string | null): DataCenterName | null {
  const { data_center: name, api_domain: api } = extra;
  return dataCenterNamed(name) ?? (typeof api === 'string' ? (dataCenterIn(api, url) ?? dataCenterOfApi(api)) : null);
}

/** As `knownDataCenterOf`, defaulting to the first data centre. */
export function dataCenterOf(extra: Readonly<Record<string, unknown>>, url: string | null = null): DataCenterName {
  return knownDataCenterOf(extra, url) ?? first;
}

/** Fills an address template for a data centre: `{data_center}` becomes its name in lower case. */
export function filledFor(template: string, center: DataCenterName): string {
  return template.replaceAll('{data_center}', center.toLowerCase());
}

/**
 * The data centre for which a template yields this very address; null when there is none, or the template has no
 * placeholder.
 */
export function dataCenterIn(address: string, template: string | null): DataCenterName | null {
  if (template === null || !template.includes('{data_center}')) return null;
  const bare = (text: string) => withoutEnd(text, '/');
  return dataCenterNames.find((name) => bare(filledFor(template, name)) === bare(address)) ?? null;
}

/** The data centre that an API address belongs to, sandboxes included; null for a foreign address. */
export function dataCenterOfApi(address: string): DataCenterName | null {
  const host = hostOf(address);
  if (host === null) return null;
  const domainOf = (name: DataCenterName) => new URL(dataCenters[name].api).hostname.replace(/^www\./, '');
  return dataCenterNames.find((name) => host === domainOf(name) || host.endsWith(`.${domainOf(name)}`)) ?? null;
}

/** The data centre of an accounts server. Null for any other address: a client secret is never sent there. */
export function dataCenterOfAccounts(address: unknown): DataCenterName | null {
  const host = typeof address === 'string' ? hostOf(address) : null;
  return dataCenterNames.find((name) => new URL(dataCenters[name].accounts).hostname === host) ?? null;
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}
