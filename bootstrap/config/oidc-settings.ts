import { z } from 'zod';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { type GroupRights, readGroupRights } from '#domain/sign-in/group-rights.ts';
import type { SettingError } from '#infrastructure/config/read-env.ts';
import { commaList, onOff } from '#infrastructure/config/setting-types.ts';

const domain = /^(?!-)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*$/u;

/** The environment variables of signing in by OpenID Connect (SET-026 to SET-028). */
export const oidcVariables = {
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, {
      error: (issue) =>
        `must be an https address without a query, such as https://sso.example.com/realms/team, or an http address of this machine, not "${String(issue.input)}"`,
    })
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_DOMAINS: commaList
    .transform((list) => list.map((each) => each.toLowerCase()))
    .refine((list) => list.every((each) => domain.test(each)), {
      error: 'must be e-mail domains such as example.com, comma separated, without an @',
    })
    .default([]),
  OIDC_RIGHTS: z.string().default(''),
  PASSWORDS: onOff('on'),
} as const;

/** The identity provider of a server, and whom it takes in. */
export type OidcSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: readonly string[];
  rules: readonly GroupRights[];
}>;

type Given = Readonly<Record<string, string>>;

/** Returns the errors of settings that do not go together, on a server of these services. */
export function oidcErrors(given: Given, services: readonly ServiceKey[]): readonly SettingError[] {
  const isThere = (name: string) => Object.hasOwn(given, name);
  const names = Object.keys(given).filter((name) => name.startsWith('OIDC_'));
  const missing = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].filter((name) => !isThere(name));
  const errors: SettingError[] = [];
  if (names.length > 0) {
    for (const variable of missing) errors.push({ variable, message: `is needed beside ${names.join(', ')}` });
  }
  if (given['PASSWORDS'] === 'off' && names.length === 0) {
    const message = 'off needs an identity provider: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET';
    errors.push({ variable: 'PASSWORDS', message });
  }
  const rights = readGroupRights(given['OIDC_RIGHTS'] ?? '', services);
  if (!rights.ok) errors.push({ variable: 'OIDC_RIGHTS', message: rights.failure.message });
  return errors;
}

type Values = z.output<z.ZodObject<typeof oidcVariables>>;

/** Returns the identity provider of the settings, whose errors were reported before; null without one. */
export function oidcOf(values: Values, services: readonly ServiceKey[]): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const rules = readGroupRights(values.OIDC_RIGHTS, services);
  return { issuer, clientId, clientSecret, domains: values.OIDC_DOMAINS, rules: rules.ok ? rules.value : [] };
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isPlain = search === '' && hash === '' && username === '' && !/[?#]/.test(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')));
  return isPlain && isSafe;
}
