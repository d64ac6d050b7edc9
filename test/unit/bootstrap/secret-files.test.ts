import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';

const folder = mkdtempSync(join(tmpdir(), 'portolan-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** Writes a file with this content, and returns its path. */
function fileWith(content: string): string {
  count += 1;
  const path = join(folder, String(count));
  writeFileSync(path, content);
  return path;
}

function errorsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingErrors)) throw error;
    return error.errors.map(({ variable, message }) => `${variable} ${message}`);
  }
}

const key = 'k'.repeat(48);
const whsec = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

describe('a secret in a file', () => {
  it.each([
    ['SECRET_KEY_BASE', key, {}],
    ['SECRET_KEY_BASE_PREVIOUS', key, {}],
    ['DATABASE_URL', 'postgres://portolan:pw@postgres/portolan', {}],
    ['DATABASE_DIRECT_URL', 'postgres://portolan:pw@postgres/portolan', {}],
    ['ADMIN_PASSWORD', 'compilers and ships', {}],
    ['METRICS_TOKEN', 'a-token-of-metrics', {}],
    ['OIDC_CLIENT_SECRET', 'of the app', { OIDC_ISSUER: 'https://sso.example.com', OIDC_CLIENT_ID: 'portolan' }],
    ['NOTIFY_URL', 'https://hooks.example.com/token', { NOTIFY_SECRET: whsec }],
    ['SMTP_URL', 'smtp://ada:pw@mail.example.com', { MAIL_FROM: 'portolan@example.com' }],
    ['VAULT_API_KEY', 'of the vault', {}],
  ])('is read as %s (CONF-014)', (name, value, beside) => {
    const settings = readSettings({ ...beside, [`${name}_FILE`]: fileWith(`${value}\n`) });
    expect(settings).toMatchObject({ [name]: value });
  });

  it('is read as the list of keys of a webhook (CONF-014)', () => {
    const given = { NOTIFY_URL: 'https://hooks.example.com', NOTIFY_SECRET_FILE: fileWith(whsec) };
    expect(readSettings(given).NOTIFY_SECRET).toHaveLength(1);
  });

  it.each([
    'SALES_CRM_CLIENT_SECRET',
    'SALES_CRM_WEBHOOK_SECRET',
    'SALES_CRM_HUBSPOT_CLIENT_SECRET',
    'SIGNING_CLIENT_SECRET',
    'SIGNING_WEBHOOK_KEY',
    'SIGNING_PANDADOC_WEBHOOK_KEY',
    'SUITE_CRM_CLIENT_SECRET',
    'SUITE_CRM_WEBHOOK_TOKEN',
    'TRACKER_CLIENT_SECRET',
    'TRACKER_WEBHOOK_SECRET',
    'TRACKER_JIRA_WEBHOOK_SECRET',
  ])('is read as %s, as if the environment had it (CONF-014)', (name) => {
    const { services } = readSettings({ [`${name}_FILE`]: fileWith('secret\n') });
    expect(services.filter(({ given }) => given.has(name))).toHaveLength(1);
  });

  it.each([
    ['one\n', 'one'],
    ['one\r\n', 'one'],
    ['one', 'one'],
    ['one\n\n', 'one\n'],
    [' one \n', ' one '],
    ['ö\n', 'ö'],
  ])('loses one line break at its end and nothing else: %j (CONF-014)', (content, secret) => {
    expect(readSettings({ VAULT_API_KEY_FILE: fileWith(content) }).VAULT_API_KEY).toBe(secret);
  });

  it.each([
    ['an empty file', { VAULT_API_KEY_FILE: fileWith('') }],
    ['a file of one line break', { VAULT_API_KEY_FILE: fileWith('\n') }],
    ['an empty path', { VAULT_API_KEY_FILE: '' }],
    ['an empty path beside an empty setting', { VAULT_API_KEY_FILE: '', VAULT_API_KEY: '' }],
  ])('is not set by %s (CONF-016)', (_, env) => {
    expect(readSettings(env).VAULT_API_KEY).toBeUndefined();
  });

  it('is read where the setting itself is there and empty (CONF-016)', () => {
    expect(readSettings({ VAULT_API_KEY: '', VAULT_API_KEY_FILE: fileWith('x') }).VAULT_API_KEY).toBe('x');
  });

  it('is refused beside the setting itself, with all other errors (CONF-015, SET-003)', () => {
    const given = { SECRET_KEY_BASE: key, SECRET_KEY_BASE_FILE: fileWith(key), PORT: 'x' };
    expect(errorsOf(given)).toEqual([
      expect.stringMatching(/^PORT must be a whole number/),
      'SECRET_KEY_BASE_FILE is set beside SECRET_KEY_BASE; keep one of them',
    ]);
  });

  it('is checked as the setting is, without being quoted (CONF-014, SET-006)', () => {
    const errors = errorsOf({
      SECRET_KEY_BASE_FILE: fileWith('short\n'),
      DATABASE_URL_FILE: fileWith('mysql://a:pw@b'),
    });
    expect(errors).toEqual([
      'DATABASE_URL must be sqlite:path or postgres://user:password@host/name',
      expect.stringMatching(/^SECRET_KEY_BASE must be at least 32 bytes/),
    ]);
  });

  it('is no way to give what is not secret (CONF-014, SET-019)', () => {
    expect(errorsOf({ ADMIN_EMAIL_FILE: fileWith('ada@example.com') })).toEqual([
      expect.stringMatching(/^ADMIN_EMAIL_FILE is not a setting/),
    ]);
  });

  it('does not make what needs it look incomplete when it cannot be read (CONF-017)', () => {
    const given = { OIDC_ISSUER: 'https://sso.example.com', OIDC_CLIENT_ID: 'portolan' };
    expect(errorsOf({ ...given, OIDC_CLIENT_SECRET_FILE: join(folder, 'none') })).toEqual([
      `OIDC_CLIENT_SECRET_FILE names ${join(folder, 'none')}, which cannot be read (ENOENT)`,
    ]);
  });
});
