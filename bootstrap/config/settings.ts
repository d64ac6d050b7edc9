import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { ConfiguredService, Service } from '#adapters/services/definitions/service.ts';
import type { Environment } from '#adapters/services/definitions/service-settings.ts';
import { LiveServices } from '#adapters/services/live-services.ts';
import { vaultSettings } from '#adapters/services/vault/settings.ts';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import { notificationErrors, notificationSettings } from '#bootstrap/config/notification-settings.ts';
import { type OidcSettings, oidcErrors, oidcOf, oidcVariables } from '#bootstrap/config/oidc-settings.ts';
import { secretSettings } from '#bootstrap/config/secret-settings.ts';
import { allServices } from '#bootstrap/services.ts';
import { readEnv, SettingErrors } from '#infrastructure/config/read-env.ts';
import { withSecretFiles } from '#infrastructure/config/secret-files.ts';
import { commaList, integer, onOff, url } from '#infrastructure/config/setting-types.ts';

const text = z.string();

const origins = commaList.refine(
  (list) => list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry),
  {
    error: 'must be origins such as https://app.example.com, comma separated, without a path',
  },
);

const secretKeyBase = z.string().refine((value) => Buffer.byteLength(value) >= 32, {
  error: 'must be at least 32 bytes; `openssl rand -base64 48` makes one',
});

const databaseUrl = z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, {
  error: 'must be sqlite:path or postgres://user:password@host/name',
});

const directUrl = z.string().regex(/^postgres(ql)?:\/\/.+$/, { error: 'must be postgres://user:password@host/name' });
const folderName = z.string().regex(/^(?!\.)[^/\\]+(?:\/(?!\.)[^/\\]+)*$/, {
  error: 'must be a folder of the vault, such as Reactions or Team/Reactions, without a slash at either end',
});

const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
  error: (issue) => `must be trace, debug, info, warn, error, fatal or silent, not "${String(issue.input)}"`,
});

const oauthClients = z.enum(['memory', 'database'], {
  error: (issue) => `must be memory or database, not "${String(issue.input)}"`,
});

const tools = z.enum(['all', 'contract'], {
  error: (issue) => `must be all or contract, not "${String(issue.input)}"`,
});

/** The environment variables besides those of the services (SET-001 to SET-028). Each error says what is valid. */
export const settingsSchema = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  BASE_URL: url.optional(),
  DATA_DIR: text.default('./data'),
  TEMPLATES_DIR: text.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: directUrl.optional(),
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
  OAUTH_CLIENTS: oauthClients.optional(),
  TRUST_PROXY: onOff('off'),
  DRAIN_MS: integer(0, 600_000).optional(),
  MAX_STREAMS: integer(16, 100_000).default(10_000),
  PRIVATE_ADDRESSES: onOff('off'),
  ALLOWED_ORIGINS: origins.default([]),
  RATE_LIMITS: onOff('on'),
  WEBHOOK_REGISTRATION: onOff('on'),
  DELIVERIES_DAYS: integer(1, 3_650).default(30),
  LOG_LEVEL: logLevel.default('info'),
  MCP_OUTPUT_SCHEMAS: onOff('off'),
  PROGRAMS: onOff('on'),
  TOOLS: tools.default('all'),
  TOOL_DEADLINE_MS: integer(1_000, 600_000).default(45_000),
  ACTIVITY_DAYS: integer(1, 3_650).default(90),
  AUDIT_DAYS: integer(1, 36_500).default(365),
  UNDO_DAYS: integer(0, 365).default(7),
  REACTIONS_FOLDER: folderName.default('Reactions'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_SERVICE_NAME: text.default('portolan'),
  OTEL_NODE_RESOURCE_DETECTORS: text.optional(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  ...oidcVariables,
  ...vaultSettings,
  ...notificationSettings,
});

/** The settings as read, and values derived from them. */
export type Settings = z.output<typeof settingsSchema> &
  Readonly<{
    dataDir: string;
    vaultDir: string;
    /** The folder of the templates of notes, which several servers may share. */
    templatesDir: string;
    databaseUrl: string;
    /** How long a server that is to stop goes on taking requests, in ms. */
    drainMs: number;
    /** Whether clients, codes and pending connect flows are stored in the database, shared by all of its servers. */
    keepsSignIns: boolean;
    isBaseUrlGiven: boolean;
    /** The identity provider; null without one. */
    oidc: OidcSettings | null;
    /** The services of this server as the environment configures them: what never changes while the server runs. */
    services: readonly ConfiguredService[];
    /** The same with what administrators entered, for client ids and secrets. */
    live: LiveServices;
  }>;

/** The prefixes of this server's variables: an unknown variable with one of them is an error, probably a typo. */
const ownPrefixes = [
  'OAUTH_',
  'OIDC_',
  'ADMIN_',
  'DRAIN_',
  'MAX_',
  'SECRET_KEY_',
  'METRICS_',
  'PRIVATE_',
  'REACTIONS_',
  'WEBHOOK_',
  'ACTIVITY_',
  'TOOL_',
  'NOTIFY_',
  'SMTP_',
  'MAIL_',
];

/**
 * Reads the settings from an environment and the files of its secrets, for a server with these services; throws
 * `SettingErrors` with all errors at once.
 */
export function readSettings(environment: Environment, defined: readonly Service[] = allServices): Settings {
  const prefixes = [...ownPrefixes, ...defined.map(({ prefix }) => prefix)];
  const all = Object.assign(
    {},
    ...defined.map(({ variables, vendorVariables }) => ({ ...variables, ...vendorVariables })),
  );
  const whole = settingsSchema.extend(all);
  const { env, errors } = withSecretFiles(environment, secretSettings(Object.keys(whole.shape), defined));
  // Parsed as a whole first, so that all errors are reported at once; what is only missing because of its file is not.
  const keys = defined.map(({ key }) => key);
  readEnv(whole, env, prefixes, (given) =>
    errors.length > 0 ? errors : [...oidcErrors(given, keys), ...notificationErrors(given)],
  );
  const values = readEnv(settingsSchema, env, []);
  const dataDir = resolve(values.DATA_DIR);
  const databaseUrl = values.DATABASE_URL ?? `sqlite:${join(dataDir, 'portolan.sqlite')}`;
  const vaultDir = resolve(values.VAULT_DIR ?? join(dataDir, 'vault'));
  const templatesDir = resolve(values.TEMPLATES_DIR ?? join(dataDir, 'templates'));
  if (!relative(vaultDir, templatesDir).startsWith('..')) {
    throw new SettingErrors([{ variable: 'TEMPLATES_DIR', message: 'must not be in the folder of the vault' }]);
  }
  const signIns = values.OAUTH_CLIENTS ?? (databaseUrl.startsWith('sqlite:') ? 'memory' : 'database');
  const live = new LiveServices(defined, env);
  return {
    ...values,
    dataDir,
    vaultDir,
    templatesDir,
    databaseUrl,
    // A proxy has to learn from /readyz that the server is stopping.
    drainMs: values.DRAIN_MS ?? (values.TRUST_PROXY || !isLoopback(values.HOST) ? 5_000 : 0),
    keepsSignIns: signIns === 'database',
    isBaseUrlGiven: values.BASE_URL !== undefined,
    oidc: oidcOf(values, keys),
    services: live.current,
    live,
  };
}
