import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Starts Portolan from this clone for the kit, as `npm start` does: `hooks.start` of portolan.json. What the kit sets in the environment becomes settings.
const given = (name: string): string => process.env[`CONTRACT_${name}`] ?? '';

const services = ['SALES_CRM', 'SIGNING', 'SUITE_CRM', 'TRACKER'].map((name) => ({
  [`${name}_URL`]: name === 'TRACKER' ? given('TRACKER_URL').replace(/.$/, '$&/graphql') : given(`${name}_URL`),
  [`${name}_AUTHORIZE_URL`]: given(`${name}_AUTHORIZE_URL`),
  [`${name}_TOKEN_URL`]: given(`${name}_TOKEN_URL`),
  [`${name}_CLIENT_ID`]: `kit-${name.toLowerCase().replace('_', '-')}-app`,
  [`${name}_CLIENT_SECRET`]:
    name === 'SALES_CRM' ? given('SALES_CRM_SECRET') : `kit-${name.toLowerCase()}-client-secret`,
}));

const settings: Readonly<Record<string, string>> = {
  HOST: given('HOST'),
  PORT: given('PORT'),
  BASE_URL: given('BASE_URL'),
  DATA_DIR: given('DATA_DIR'),
  ADMIN_EMAIL: given('EMAIL'),
  ADMIN_PASSWORD: given('PASSWORD'),
  LOG_LEVEL: 'warn',
  WEBHOOK_REGISTRATION: given('WEBHOOKS') === 'on' ? 'on' : 'off',
  // What is as it would be without a setting is not set.
  OAUTH_METADATA: given('METADATA') === 'on' ? 'on' : '',
  OAUTH_CLIENTS: given('CLIENTS') === 'kept' ? 'database' : '',
  OAUTH_STRICT: given('STRICT') === 'on' ? 'on' : '',
  SIGNING_WEBHOOK_KEY: given('SIGNING_SECRET'),
  SUITE_CRM_WEBHOOK_TOKEN: given('SUITE_CRM_SECRET'),
  TRACKER_WEBHOOK_SECRET: given('TRACKER_SECRET'),
  VAULT_URL: given('VAULT_URL'),
  VAULT_API_KEY: given('VAULT_KEY'),
  ...Object.assign({}, ...services),
};

const clock = pathToFileURL(resolve(import.meta.dirname, 'settable-clock.mjs')).href;
const { PATH = '', HOME = '', TMPDIR = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
const env = Object.entries({
  PATH,
  HOME,
  TMPDIR,
  NODE_COMPILE_CACHE,
  CONTRACT_CLOCK_URL: given('CLOCK_URL'),
  CONTRACT_PLANT: given('PLANT'),
  PLANTED: process.env['PLANTED'] ?? '',
  NODE_OPTIONS: [NODE_OPTIONS, ...(given('CLOCK_URL') === '' ? [] : [`--import ${clock}`])].join(' ').trim(),
  ...settings,
}).filter(([, value]) => value !== '');

const child = spawn(process.execPath, ['bootstrap/node24.mjs', 'bootstrap/main.ts'], {
  env: Object.fromEntries(env),
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
