import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readEnv } from '#infrastructure/config/read-env.ts';
import { isAddressRange } from '#infrastructure/http/address-ranges.ts';

const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: (issue) => `must be on or off, not "${String(issue.input)}"` })
    .default(fallback)
    .transform((value) => value === 'on');

const text = z.string();
const url = z
  .url({ protocol: /^https?$/, error: (issue) => `must be an http or https address, not "${String(issue.input)}"` })
  .transform((value) => value.replace(/\/+$/, ''));

const commaList = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

const origins = commaList.refine(
  (list) => list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry),
  {
    error: 'must be origins such as https://app.example.com, comma separated, without a path',
  },
);

const addresses = commaList.superRefine((list, context) => {
  const wrong = list.filter((entry) => !isAddressRange(entry));
  if (list.length > 0 && wrong.length === 0) return;
  const not = wrong.length === 0 ? 'not nothing' : `not "${wrong.join('", "')}"`;
  const message = `must be IP addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, comma separated, ${not}`;
  context.addIssue({ code: 'custom', message });
});

const integer = (min: number, max: number) =>
  z.string().transform((value, context) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}, not "${value}"` });
    return z.NEVER;
  });

const secretKeyBase = z.string().refine((value) => Buffer.byteLength(value) >= 32, {
  error: 'must be at least 32 bytes; `openssl rand -base64 48` makes one',
});

const databaseUrl = z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, {
  error: 'must be sqlite:path or postgres://user:password@host/name',
});

const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
  error: (issue) => `must be trace, debug, info, warn, error, fatal or silent, not "${String(issue.input)}"`,
});

const dialect = (own: string) =>
  z
    .enum(['neutral', own], { error: (issue) => `must be neutral or ${own}, not "${String(issue.input)}"` })
    .default('neutral');

const provider = <const Prefix extends string>(prefix: Prefix, own: string) => {
  const entries = {
    [`${prefix}_URL`]: url.optional(),
    [`${prefix}_CLIENT_ID`]: text.optional(),
    [`${prefix}_CLIENT_SECRET`]: text.optional(),
    [`${prefix}_AUTHORIZE_URL`]: url.optional(),
    [`${prefix}_TOKEN_URL`]: url.optional(),
    [`${prefix}_SCOPES`]: text.optional(),
    [`${prefix}_DIALECT`]: dialect(own),
  };
  return entries as Record<`${Prefix}_${'URL' | 'AUTHORIZE_URL' | 'TOKEN_URL'}`, z.ZodOptional<typeof url>> &
    Record<`${Prefix}_${'CLIENT_ID' | 'CLIENT_SECRET' | 'SCOPES'}`, z.ZodOptional<z.ZodString>> &
    Record<`${Prefix}_DIALECT`, ReturnType<typeof dialect>>;
};

/** The product's environment variables (SET-001 to SET-020). One schema; each error says what would be right. */
export const settingsSchema = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  BASE_URL: url.optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  SECRET_KEY_BASE: secretKeyBase.optional(),
  SECRET_KEY_BASE_PREVIOUS: secretKeyBase.optional(),
  ADMIN_EMAIL: z
    .email({ error: 'must be an e-mail address' })
    .or(z.literal('admin@localhost'))
    .default('admin@localhost'),
  ADMIN_PASSWORD: z.string().min(8, { error: 'must have at least 8 characters' }).optional(),
  AUTOMATION_USER_ID: integer(1, 2_147_483_647).default(1),
  OAUTH_METADATA: onOff('off'),
  OAUTH_STRICT: onOff('off'),
  TRUST_PROXY: onOff('off'),
  PRIVATE_ADDRESSES: onOff('off'),
  ALLOWED_ORIGINS: origins.default([]),
  RATE_LIMITS: onOff('on'),
  WEBHOOK_REGISTRATION: onOff('on'),
  LOG_LEVEL: logLevel.default('info'),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  ...provider('SALES_CRM', 'pipedrive'),
  ...provider('SIGNING', 'pandadoc'),
  ...provider('SUITE_CRM', 'zoho'),
  ...provider('TRACKER', 'linear'),
  SALES_CRM_WEBHOOK_SECRET: commaList.optional(),
  SIGNING_WEBHOOK_KEY: commaList.optional(),
  SUITE_CRM_WEBHOOK_TOKEN: commaList.optional(),
  SUITE_CRM_WEBHOOK_ADDRESSES: addresses.optional(),
  TRACKER_WEBHOOK_SECRET: commaList.optional(),
  VAULT_URL: url.optional(),
  VAULT_API_KEY: text.optional(),
  VAULT_VERIFY_TLS: onOff('on').optional(),
  VAULT_DIALECT: dialect('obsidian'),
  VAULT_WEEKS: z
    .enum(['sunday', 'iso'], { error: (issue) => `must be sunday or iso, not "${String(issue.input)}"` })
    .default('sunday'),
  VAULT_DIR: text.optional(),
  VAULT_PORT: integer(1, 65_535).optional(),
});

/** The settings as read, and what follows from them. */
export type Settings = z.output<typeof settingsSchema> &
  Readonly<{ dataDir: string; vaultDir: string; databaseUrl: string; isBaseUrlGiven: boolean }>;

const ownPrefixes = [
  'OAUTH_',
  'SALES_CRM_',
  'SIGNING_',
  'SUITE_CRM_',
  'TRACKER_',
  'VAULT_',
  'ADMIN_',
  'SECRET_KEY_',
  'METRICS_',
  'PRIVATE_',
  'WEBHOOK_',
];

/** The settings from an environment; throws `SettingErrors` with every error at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const values = readEnv(settingsSchema, env, ownPrefixes);
  const dataDir = resolve(values.DATA_DIR);
  return {
    ...values,
    dataDir,
    vaultDir: resolve(values.VAULT_DIR ?? join(dataDir, 'vault')),
    databaseUrl: values.DATABASE_URL ?? `sqlite:${join(dataDir, 'portolan.sqlite')}`,
    isBaseUrlGiven: values.BASE_URL !== undefined,
  };
}
