import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingErrors)) throw error;
    return error.errors.map(({ variable, message }) => `${variable} ${message}`);
  }
}

// The defaults, copied by hand.
describe('a server with no settings', () => {
  const settings = readSettings({});

  it('listens on 127.0.0.1, port 3000 (SET-001)', () => {
    expect(settings).toMatchObject({ HOST: '127.0.0.1', PORT: 3000 });
  });
  it('keeps everything in ./data, in a SQLite file (SET-016, SET-018)', () => {
    expect(settings.dataDir).toBe(resolve('./data'));
    expect(settings.databaseUrl).toBe(`sqlite:${join(resolve('./data'), 'portolan.sqlite')}`);
  });
  it('makes admin@localhost the first user, with a generated password, and acts as user 1', () => {
    expect(settings.ADMIN_PASSWORD).toBeUndefined();
    expect(settings).toMatchObject({
      ADMIN_EMAIL: 'admin@localhost',
      AUTOMATION_USER_ID: 1,
    });
  });
  it('leaves metadata, strictness and proxy trust off, and rate limits on', () => {
    expect(settings).toMatchObject({
      OAUTH_METADATA: false,
      OAUTH_STRICT: false,
      TRUST_PROXY: false,
      RATE_LIMITS: true,
    });
  });
  it('keeps clients in memory with SQLite, and in the database with PostgreSQL (SET-015, SET-021)', () => {
    expect(settings.keepsSignIns).toBe(false);
    const postgres = { DATABASE_URL: 'postgres://localhost/portolan' };
    expect(readSettings(postgres).keepsSignIns).toBe(true);
    expect(readSettings({ ...postgres, OAUTH_CLIENTS: 'memory' }).keepsSignIns).toBe(false);
    expect(readSettings({ OAUTH_CLIENTS: 'database' }).keepsSignIns).toBe(true);
  });
  it('accepts requests for five more seconds before a stop if a proxy may still send some (RUN-024)', () => {
    expect(settings.drainMs).toBe(0);
    expect(readSettings({ HOST: '::1' }).drainMs).toBe(0);
    expect(readSettings({ HOST: '0.0.0.0' }).drainMs).toBe(5_000);
    expect(readSettings({ TRUST_PROXY: 'on' }).drainMs).toBe(5_000);
    expect(readSettings({ TRUST_PROXY: 'on', DRAIN_MS: '0' }).drainMs).toBe(0);
    expect(readSettings({ DRAIN_MS: '250' }).drainMs).toBe(250);
  });
  it('registers webhooks at the services (WREG-001)', () => {
    expect(settings.WEBHOOK_REGISTRATION).toBe(true);
  });
  it('uses the neutral dialect everywhere', () => {
    expect(settings.services.map(({ settings: { dialect } }) => dialect)).toEqual(
      Array.from({ length: 5 }, () => 'neutral'),
    );
  });
});

describe('a setting', () => {
  it('loses the slash at the end of an address', () => {
    expect(readSettings({ BASE_URL: 'https://portolan.example.com/' }).BASE_URL).toBe('https://portolan.example.com');
  });
  it('separates a list by commas, with optional blanks (HOOK-008)', () => {
    const { services } = readSettings({ TRACKER_WEBHOOK_SECRET: 'new, old,' });
    const { webhooks } = services.find(({ service }) => service.key === 'tracker') ?? {};
    expect(webhooks?.secrets).toEqual(['new', 'old']);
  });
  it('counts as not given when it is empty', () => {
    const { PORT, BASE_URL } = readSettings({ PORT: '', BASE_URL: '' });
    expect([PORT, BASE_URL]).toEqual([3000, undefined]);
  });
  it('of another program is ignored', () => {
    expect(faultsOf({ PATH: '/bin', NODE_ENV: 'production', HOSTNAME: 'x' })).toEqual([]);
  });
});

describe('every error names the variable, what is wrong and what would be right (SET-019)', () => {
  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http"'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000"'],
    [{ BASE_URL: 'localhost:3000' }, 'BASE_URL must be an http or https address, not "localhost:3000"'],
    [{ OAUTH_CLIENTS: 'redis' }, 'OAUTH_CLIENTS must be memory or database, not "redis"'],
    [{ OAUTH_STRICT: 'yes' }, 'OAUTH_STRICT must be on or off, not "yes"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be sqlite:path or postgres://user:password@host/name'],
    [{ SECRET_KEY_BASE: 'short' }, 'SECRET_KEY_BASE must be at least 32 bytes; `openssl rand -base64 48` makes one'],
    [{ ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL must be an e-mail address'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must have at least 8 characters'],
    [
      { TRACKER_DIALECT: 'zoho' },
      'TRACKER_DIALECT must be neutral, linear or jira, or several of them separated by commas, not "zoho"',
    ],
    [{ TOOLS: 'few' }, 'TOOLS must be all or contract, not "few"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud"'],
    [
      { ALLOWED_ORIGINS: 'https://a.example/path' },
      'ALLOWED_ORIGINS must be origins such as https://app.example.com, comma separated, without a path',
    ],
    ...[
      ['10.0.0.0/33', '10.0.0.0/33'],
      ['203.0.113.0/24, zoho.example,2001:db8::/129', 'zoho.example", "2001:db8::/129'],
      ['1.2.3', '1.2.3'],
    ].map(([given = '', wrong = '']): [Readonly<Record<string, string>>, string] => [
      { SUITE_CRM_WEBHOOK_ADDRESSES: given },
      `SUITE_CRM_WEBHOOK_ADDRESSES must be IP addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, comma separated, not "${wrong}"`,
    ]),
    [{ TRACKER_WEBHOOK_SECERT: 'x' }, 'TRACKER_WEBHOOK_SECERT is not a setting; did you mean TRACKER_WEBHOOK_SECRET?'],
    [{ OAUTH_ANYTHING_ELSE: 'x' }, 'OAUTH_ANYTHING_ELSE is not a setting; remove it'],
  ])('%j', (env, fault) => {
    expect(faultsOf(env)).toEqual([fault]);
  });

  it('all errors are reported at once (SET-003)', () => {
    expect(faultsOf({ PORT: 'x', BASE_URL: 'y', OAUTH_METADATA: 'z', VAULT_ULR: 'w' })).toHaveLength(4);
  });

  it('a secret of fewer than 32 bytes is refused (SET-006)', () => {
    expect(faultsOf({ SECRET_KEY_BASE: 'x'.repeat(31) })).toHaveLength(1);
    expect(faultsOf({ SECRET_KEY_BASE: 'x'.repeat(32) })).toEqual([]);
    expect(faultsOf({ SECRET_KEY_BASE: 'ü'.repeat(16) })).toEqual([]);
  });

  it('a database must be SQLite or PostgreSQL (SET-010)', () => {
    for (const url of ['sqlite:./notes.sqlite', 'postgres://me:secret@db.example/portolan', 'postgresql://db/x']) {
      expect(faultsOf({ DATABASE_URL: url }), url).toEqual([]);
    }
    for (const url of ['mysql://x', 'notes.sqlite', 'https://db.example', 'sqlite:']) {
      expect(faultsOf({ DATABASE_URL: url }), url).toHaveLength(1);
    }
  });

  it('a secret is never repeated', () => {
    expect(faultsOf({ SECRET_KEY_BASE: 'hunter2' }).join()).not.toContain('hunter2');
  });
});

describe('single sign-on', () => {
  const whole = { OIDC_ISSUER: 'https://sso.example.com', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };

  it('is off without settings, and passwords are taken (SET-028)', () => {
    expect(readSettings({})).toMatchObject({ oidc: null, PASSWORDS: true });
  });

  it('is read with domains and rights of groups (SET-026, SET-027)', () => {
    const given = {
      ...whole,
      OIDC_DOMAINS: 'Example.com, münchen.example',
      OIDC_RIGHTS: 'crm=tracker',
      PASSWORDS: 'off',
    };
    expect(readSettings(given)).toMatchObject({
      PASSWORDS: false,
      oidc: {
        issuer: 'https://sso.example.com',
        domains: ['example.com', 'münchen.example'],
        rules: [{ group: 'crm', permissions: ['tracker'], isAdmin: false }],
      },
    });
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1/realms/x', 'http://[::1]:1', 'https://x.auth0.com/'])(
    'takes the issuer %s as it is (SET-026)',
    (issuer) => {
      expect(readSettings({ ...whole, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer);
    },
  );

  it.each([
    'http://sso.example.com',
    'http://localhost.example.com',
    'ftp://sso.example.com',
    'https://sso.example.com?x=1',
    'https://sso.example.com/#a',
    'https://user@sso.example.com',
    'sso.example.com',
  ])('refuses the issuer %s (SET-026)', (issuer) => {
    expect(faultsOf({ ...whole, OIDC_ISSUER: issuer })).toEqual([
      expect.stringMatching(/^OIDC_ISSUER must be an https/),
    ]);
  });

  it('names what is missing, and what is misspelt (SET-019, SET-026)', () => {
    expect(faultsOf({ OIDC_ISSUER: 'https://sso.example.com' })).toEqual([
      'OIDC_CLIENT_ID is needed beside OIDC_ISSUER',
      'OIDC_CLIENT_SECRET is needed beside OIDC_ISSUER',
    ]);
    expect(faultsOf({ OIDC_DOMAINS: 'example.com' })).toHaveLength(3);
    expect(faultsOf({ ...whole, OIDC_DOMAIN: 'example.com' })).toEqual([
      'OIDC_DOMAIN is not a setting; did you mean OIDC_DOMAINS?',
    ]);
  });

  it('refuses wrong domains and rights, all at once (SET-003, SET-027)', () => {
    expect(faultsOf({ ...whole, OIDC_DOMAINS: '@example.com', OIDC_RIGHTS: 'crm=traker' })).toEqual([
      expect.stringMatching(/^OIDC_DOMAINS must be e-mail domains/),
      expect.stringMatching(/^OIDC_RIGHTS "traker" is no right: those are sales_crm, .*administrator; write/),
    ]);
  });

  it('is needed where passwords are off (SET-028)', () => {
    expect(faultsOf({ PASSWORDS: 'off' })).toEqual([
      expect.stringMatching(/^PASSWORDS off needs an identity provider/),
    ]);
    expect(faultsOf({ PASSWORDS: 'no', ...whole })).toEqual([expect.stringMatching(/^PASSWORDS must be on or off/)]);
  });
});
