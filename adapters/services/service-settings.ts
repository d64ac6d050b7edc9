import { z } from 'zod';
import type { OAuthApp } from '#adapters/services/oauth-facts.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { commaList, oneOf, url } from '#infrastructure/config/setting-types.ts';

/** An environment: variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a service. Addresses have no trailing slash; null means not set. */
export type ServiceSettings<Dialect extends string = string> = Readonly<{
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

/** The members of a definition that determine its standard variables. */
export type SettingsOutline<Dialect extends string> = Readonly<{
  key: ServiceKey;
  dialects: readonly [Dialect, ...Dialect[]];
  /** Whether an administrator sets its address, as opposed to each connection having one. */
  hasAddress: boolean;
  hasOAuth: boolean;
  /** The variable of its webhook secrets; null when it sends no webhooks. */
  webhookSecret: string | null;
}>;

/** The environment variable of a service's setting: 'SALES_CRM_URL'. */
export function settingOf(service: ServiceKey, name: string): string {
  return `${service.toUpperCase()}_${name}`;
}

const oauthNames = ['CLIENT_ID', 'CLIENT_SECRET', 'AUTHORIZE_URL', 'TOKEN_URL', 'SCOPES'] as const;

/** The variables of a service with this outline, with their schemas. */
export function standardVariables<Dialect extends string>(outline: SettingsOutline<Dialect>): z.ZodRawShape {
  const { key, dialects, hasAddress, hasOAuth, webhookSecret } = outline;
  const named = (name: string) => settingOf(key, name);
  return {
    ...(hasAddress ? { [named('URL')]: url.optional() } : {}),
    ...(hasOAuth ? Object.fromEntries(oauthNames.map((name) => [named(name), schemas[name].optional()])) : {}),
    ...(dialects.length > 1 ? { [named('DIALECT')]: oneOf(dialects).default(dialects[0]) } : {}),
    ...(webhookSecret === null ? {} : { [webhookSecret]: commaList.optional() }),
  };
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

/** Reads a service's settings from an environment that satisfies `standardVariables`. Empty values count as not set. */
export function readStandard<Dialect extends string>(
  outline: SettingsOutline<Dialect>,
  env: Environment,
): ServiceSettings<Dialect> {
  const { key, dialects, webhookSecret } = outline;
  const known = standardVariables(outline);
  const given = <Schema extends z.ZodType>(variable: string, schema: Schema): z.output<Schema> | null => {
    const value = own(env, variable);
    return !Object.hasOwn(known, variable) || value === undefined || value === '' ? null : schema.parse(value);
  };
  const named = (name: keyof typeof schemas) => given(settingOf(key, name), schemas[name]);
  const [clientId, clientSecret] = [named('CLIENT_ID'), named('CLIENT_SECRET')];
  return {
    dialect: given(settingOf(key, 'DIALECT'), z.enum(dialects)) ?? dialects[0],
    url: named('URL'),
    authorizeUrl: named('AUTHORIZE_URL'),
    tokenUrl: named('TOKEN_URL'),
    clientSecret,
    app: clientId === null || clientSecret === null ? null : { clientId, clientSecret, scopes: named('SCOPES') },
    webhookSecrets: webhookSecret === null ? [] : (given(webhookSecret, commaList) ?? []),
  };
}
