import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '#bootstrap/config/settings.ts';

const folder = 'docs/compose/three-servers';
const condition = z.record(z.string(), z.object({ condition: z.literal('service_healthy') }));
const service = z.strictObject({
  image: z.string().regex(/^[a-z]+:\d+(\.\d+)+$/, 'a pinned version'),
  build: z.strictObject({ context: z.string() }).optional(),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string().optional(),
  init: z.boolean().optional(),
  depends_on: condition.optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
});
const compose = z
  .looseObject({ name: z.string(), services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(readFileSync(`${folder}/compose.yaml`, 'utf8'), { merge: true }));
const caddyfile = readFileSync(`${folder}/Caddyfile`, 'utf8');
const example = readFileSync(`${folder}/.env.example`, 'utf8');
const servers = Object.entries(compose.services).filter(([name]) => name.startsWith('portolan-'));

describe('the compose file of three servers', () => {
  it('starts three of the same, whose settings the server accepts', () => {
    expect(servers).toHaveLength(3);
    expect(new Set(servers.map(([, server]) => JSON.stringify(server))).size).toBe(1);
    const given = servers[0]?.[1].environment ?? {};
    const filled = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replaceAll(/\$\{[^}]+\}/g, 'x'.repeat(64))]),
    );
    const settings = readSettings({ DATA_DIR: '/data', ...filled, ADMIN_EMAIL: 'ada@example.com' });
    expect(settings).toMatchObject({ vaultDir: '/notes', TRUST_PROXY: true });
    expect(settings.databaseUrl).toMatch(/^postgres:\/\//);
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
    expect(dockerfile).toMatch(/install -d -o node .* \/notes/);
  });

  it('contains no secret: each is asked for by name, and the example says how to create it', () => {
    const text = JSON.stringify(compose);
    const asked = [...new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))];
    for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
    expect(example).toMatch(/^SECRET_KEY_BASE=$/m);
    expect(example).toMatch(/^POSTGRES_PASSWORD=$/m);
  });

  it('has a proxy that passes each request to the next server that is ready', () => {
    for (const [name] of servers) expect(caddyfile).toContain(`${name}:3000`);
    expect(caddyfile).toContain('lb_policy round_robin');
    expect(caddyfile).toContain('health_uri /readyz');
  });
});
