import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Starts Portolan from this clone for the kit, as `npm start` does: `hooks.start` of portolan.json. What the kit tells becomes settings.
const told = (name: string): string => process.env[`CONTRACT_${name}`] ?? '';

const services = ['SALES_CRM', 'SIGNING', 'SUITE_CRM', 'TRACKER'].map((name) => ({
  [`${name}_URL`]: name === 'TRACKER' ? told('TRACKER_URL').replace(/.$/, '$&/graphql') : told(`${name}_URL`),
  [`${name}_AUTHORIZE_URL`]: told(`${name}_AUTHORIZE_URL`),
  [`${name}_TOKEN_URL`]: told(`${name}_TOKEN_URL`),
  [`${name}_CLIENT_ID`]: `kit-${name.toLowerCase().replace('_', '-')}-app`,
  [`${name}_CLIENT_SECRET`]:
    name === 'SALES_CRM' ? told('SALES_CRM_SECRET') : `kit-${name.toLowerCase()}-client-secret`,
}));

const settings: Readonly<Record<string, string>> = {
  HOST: told('HOST'),
  PORT: told('PORT'),
  BASE_URL: told('BASE_URL'),
  DATA_DIR: told('DATA_DIR'),
  ADMIN_EMAIL: told('EMAIL'),
  ADMIN_PASSWORD: told('PASSWORD'),
  LOG_LEVEL: 'warn',
  WEBHOOK_REGISTRATION: 'off',
  SIGNING_WEBHOOK_KEY: told('SIGNING_SECRET'),
  SUITE_CRM_WEBHOOK_TOKEN: told('SUITE_CRM_SECRET'),
  TRACKER_WEBHOOK_SECRET: told('TRACKER_SECRET'),
  VAULT_URL: told('VAULT_URL'),
  VAULT_API_KEY: told('VAULT_KEY'),
  ...Object.assign({}, ...services),
};

const clock = pathToFileURL(resolve(import.meta.dirname, 'settable-clock.mjs')).href;
const { PATH = '', HOME = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env;
const env = Object.entries({
  PATH,
  HOME,
  TMPDIR,
  NODE_COMPILE_CACHE,
  CONTRACT_CLOCK_URL: told('CLOCK_URL'),
  NODE_OPTIONS: told('CLOCK_URL') === '' ? '' : `--import ${clock}`,
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
