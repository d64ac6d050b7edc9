import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { hardened, type MadeSecrets, madeSecrets, settingsWith } from '#test/support/packages/compose-files.ts';

const folder = 'docs/compose/three-servers';
const condition = z.record(z.string(), z.object({ condition: z.literal('service_healthy') }));
const service = z.strictObject({
  ...hardened.shape,
  build: z.strictObject({ context: z.string() }).optional(),
  stop_grace_period: z.string().optional(),
  init: z.literal(true).optional(),
  user: z.literal('1000:0').optional(),
  cap_add: z.array(z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  depends_on: condition.optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
});
const compose = z
  .looseObject({
    name: z.string(),
    services: z.record(z.string(), service),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(readFileSync(`${folder}/compose.yaml`, 'utf8'), { merge: true }));
const caddyfile = readFileSync(`${folder}/Caddyfile`, 'utf8');
const example = readFileSync(`${folder}/.env.example`, 'utf8');
const servers = Object.entries(compose.services).filter(([name]) => name.startsWith('portolan-'));

describe('the compose file of three servers', () => {
  let made: MadeSecrets;
  beforeAll(() => {
    made = madeSecrets();
  });
  afterAll(() => made.remove());

  it('starts three of the same, whose settings the server accepts', () => {
    expect(servers).toHaveLength(3);
    expect(new Set(servers.map(([, server]) => JSON.stringify(server))).size).toBe(1);
    const given = servers[0]?.[1].environment ?? {};
    const filled = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replaceAll(/\$\{[^}]+\}/g, 'x'.repeat(64))]),
    );
    const settings = settingsWith({ DATA_DIR: '/data', ...filled, ADMIN_EMAIL: 'ada@example.com' }, made.path);
    expect(settings).toMatchObject({ vaultDir: '/notes', templatesDir: '/templates', TRUST_PROXY: true });
    const password = readFileSync(join(made.path, 'secrets', 'postgres_password'), 'utf8').trim();
    expect(settings.databaseUrl).toBe(`postgres://portolan:${password}@postgres:5432/portolan`);
    expect(settings.SECRET_KEY_BASE).toMatch(/^[0-9a-f]{96}$/);
  });

  it('starts each when what it needs is healthy, and mounts only volumes that it has', () => {
    for (const { depends_on: needed = {}, volumes = [] } of Object.values(compose.services)) {
      for (const name of Object.keys(needed)) {
        const isChecked = compose.services[name]?.healthcheck !== undefined || name.startsWith('portolan-');
        expect([name, isChecked]).toEqual([name, true]);
      }
      for (const volume of volumes.filter((text) => !text.startsWith('./'))) {
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      }
    }
    // The image brings the check of a server, and the folders that its user may write.
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    expect(dockerfile).toContain('HEALTHCHECK');
    expect(dockerfile).toMatch(/install -d -o node .* \/notes \/templates/);
  });

  it('contains no secret: what is asked for by name is in the example, and secrets are files (RUN-046)', () => {
    const text = JSON.stringify(compose);
    const asked = [...new Set([...text.matchAll(/\$\{(?!\w+_IMAGE:-)(\w+)/g)].map(([, name]) => name))];
    for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
    const files = Object.entries(compose.secrets);
    expect(files.map(([name, { file }]) => [name, file])).toEqual(files.map(([name]) => [name, `./secrets/${name}`]));
    expect(Object.keys(compose.secrets).toSorted()).toEqual(made.names);
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets);
    expect([...new Set(used)].toSorted()).toEqual(made.names);
  });

  it('gives each container no more than it needs, and a server nothing of its own to keep (RUN-046)', () => {
    const added = Object.entries(compose.services).flatMap(([name, { cap_add = [] }]) =>
      cap_add.length > 0 ? [[name, cap_add]] : [],
    );
    expect(Object.fromEntries(added)).toEqual({
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      caddy: ['NET_BIND_SERVICE'],
    });
    for (const [, { tmpfs, init }] of servers) expect([init, tmpfs]).toEqual([true, ['/tmp', '/data:mode=0770']]);
  });

  it('has a proxy that repeats a POST at the next server (RUN-046)', () => {
    const [, minor = 0, patch = 0] =
      /:2\.(\d+)\.(\d+)-/.exec(compose.services['caddy']?.image ?? '')?.map(Number) ?? [];
    expect(minor * 100 + patch).toBeGreaterThanOrEqual(1_102);
    expect([minor, patch]).not.toEqual([11, 6]);
  });

  it('has a proxy that passes each request to the next server that is ready', () => {
    for (const [name] of servers) expect(caddyfile).toContain(`${name}:3000`);
    expect(caddyfile).toContain('lb_policy round_robin');
    expect(caddyfile).toContain('health_uri /readyz');
    expect(caddyfile).toContain('dial_timeout 1s');
  });
});
