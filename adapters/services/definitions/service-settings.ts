import { z } from 'zod';
import type { OAuthApp } from '#adapters/services/credentials/oauth-facts.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { commaList, url, wordList } from '#infrastructure/config/setting-types.ts';

/** An environment: variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a service. Addresses have no trailing slash; null means not set. */
export type ServiceSettings<Dialect extends string = string> = Readonly<{
  /** The name of the vendor, or 'neutral'. */
  dialect: Dialect;
  url: string | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
  /** This server's app at the provider; null while its id or secret is not set. */
  app: OAuthApp | null;
  /** The app's secret, which may be set without its id. */
  clientSecret: string | null;
  /** The secrets that webhooks are verified with, the current one first; empty when none is set. */
  webhookSecrets: readonly string[];
}>;

/** The facts of a service that determine its standard variables. */
export type SettingsOutline = Readonly<{
  key: ServiceKey;
  dialects: readonly string[];
  /** Whether an administrator sets its address, as opposed to each connection having one. */
  hasAddress: boolean;
  hasOAuth: boolean;
  /** The variable of its webhook secrets; null when it sends no webhooks. */
  webhookSecret: string | null;
  /** The maximum length of each of them; unlimited when not given. */
  maxSecretLength?: number;
}>;

/** The environment variable of a service's setting: 'SALES_CRM_URL'. */
export function settingOf(service: ServiceKey, name: string): string {
  return `${service.toUpperCase()}_${name}`;
}

/** The prefix of the settings of one of several vendors: 'SALES_CRM_PIPEDRIVE_'. */
export function vendorPrefix(service: ServiceKey, vendor: string): string {
  return `${settingOf(service, vendor.toUpperCase())}_`;
}

/** The same setting for one of several vendors: 'SALES_CRM_PIPEDRIVE_URL' for 'SALES_CRM_URL'. */
export function vendorSetting(service: ServiceKey, vendor: string, variable: string): string {
  return `${vendorPrefix(service, vendor)}${variable.slice(settingOf(service, '').length)}`;
}

/** The names of the vendors that serve a service, the first one first; a service has at least one. */
export function dialectsIn({ key, dialects }: Pick<SettingsOutline, 'key' | 'dialects'>, env: Environment) {
  const given = own(env, settingOf(key, 'DIALECT')) ?? '';
  return given === '' || dialects.length === 1 ? dialects.slice(0, 1) : dialectList(dialects).parse(given);
}

/** The environment as one vendor reads it: its own settings, and the service's for the first vendor. */
export function environmentOf(
  { key, variables }: Readonly<{ key: ServiceKey; variables: z.ZodRawShape }>,
  { vendor, isFirst }: Readonly<{ vendor: string; isFirst: boolean }>,
  env: Environment,
): Environment {
  return Object.fromEntries(
    Object.keys(variables).map((variable) => {
      const itsOwn = own(env, vendorSetting(key, vendor, variable)) ?? '';
      return [variable, itsOwn !== '' || !isFirst ? itsOwn : own(env, variable)];
    }),
  );
}

/** One name of a list, or several that are separated by commas. */
function dialectList(names: readonly string[]) {
  return commaList.superRefine((given, context) => {
    const unknown = given.filter((name, index) => !names.includes(name) || given.indexOf(name) !== index);
    if (unknown.length === 0 && given.length > 0) return;
    const message = `must be ${wordList(names)}, or several of them separated by commas, not "${given.join(',')}"`;
    context.addIssue({ code: 'custom', message });
  });
}

const oauthNames = ['CLIENT_ID', 'CLIENT_SECRET', 'AUTHORIZE_URL', 'TOKEN_URL', 'SCOPES'] as const;

/** The variables of a service with this outline, with their schemas. */
export function standardVariables(outline: SettingsOutline): z.ZodRawShape {
  const { key, dialects, hasAddress, hasOAuth, webhookSecret, maxSecretLength = Infinity } = outline;
  const named = (name: string) => settingOf(key, name);
  return {
    ...(hasAddress ? { [named('URL')]: url.optional() } : {}),
    ...(hasOAuth ? Object.fromEntries(oauthNames.map((name) => [named(name), schemas[name].optional()])) : {}),
    ...(dialects.length > 1 ? { [named('DIALECT')]: dialectList(dialects).optional() } : {}),
    ...(webhookSecret === null ? {} : { [webhookSecret]: secretList(maxSecretLength).optional() }),
  };
}

/** Secrets separated by commas, none longer than that. */
function secretList(maxLength: number) {
  const error = `must have at most ${maxLength} characters, since the provider accepts no more`;
  return commaList.refine((secrets) => secrets.every(({ length }) => length <= maxLength), { error });
}

const text = z.string();
const schemas: Readonly<Record<(typeof oauthNames)[number] | 'URL', z.ZodType<string, string>>> = {
  URL: url,
  CLIENT_ID: text,
  CLIENT_SECRET: text,
  AUTHORIZE_URL: url,
  TOKEN_URL: url,
  SCOPES: text,
};

/** Reads the settings of a vendor from its environment; empty values count as not set. */
export function readStandard(outline: SettingsOutline, dialect: string, env: Environment): ServiceSettings {
  const { key, webhookSecret } = outline;
  const known = standardVariables(outline);
  const given = <Schema extends z.ZodType>(variable: string, schema: Schema): z.output<Schema> | null => {
    const value = own(env, variable);
    return !Object.hasOwn(known, variable) || value === undefined || value === '' ? null : schema.parse(value);
  };
  const named = (name: keyof typeof schemas) => given(settingOf(key, name), schemas[name]);
  const [clientId, clientSecret] = [named('CLIENT_ID'), named('CLIENT_SECRET')];
  return {
    dialect,
    url: named('URL'),
    authorizeUrl: named('AUTHORIZE_URL'),
    tokenUrl: named('TOKEN_URL'),
    clientSecret,
    app: clientId === null || clientSecret === null ? null : { clientId, clientSecret, scopes: named('SCOPES') },
    webhookSecrets: webhookSecret === null ? [] : (given(webhookSecret, commaList) ?? []),
  };
}
