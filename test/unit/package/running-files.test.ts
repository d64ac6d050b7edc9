import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { hardened, type MadeSecrets, madeSecrets, settingsWith } from '#test/support/packages/compose-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '');

/** The directives of an nginx or Caddy file, each as its words, with those in its braces. */
type Directive = Readonly<{ words: readonly string[]; inside: readonly Directive[] }>;

function directivesOf(text: string): readonly Directive[] {
  const tokens = withoutComments(text).match(/"[^"]*"|\{\$\w+\}|[{};\n]|[^\s{};]+/g) ?? [];
  const read = (): Directive[] => {
    const found: Directive[] = [];
    for (let words: string[] = []; ; ) {
      const token = tokens.shift();
      const isEnd = token === undefined || token === '}';
      if (token === '{') found.push({ words, inside: read() });
      else if ((isEnd || token === ';' || token === '\n') && words.length > 0) found.push({ words, inside: [] });
      if (isEnd) return found;
      words = ['{', ';', '\n'].includes(token) ? [] : [...words, token];
    }
  };
  const whole = read();
  if (tokens.length > 0) throw new Error('a brace too many');
  return whole;
}

const all = (directives: readonly Directive[]): readonly (readonly string[])[] =>
  directives.flatMap(({ words, inside }) => [words, ...all(inside)]);

describe('the compose file of one server', () => {
  const folder = 'docs/compose/one-server';
  const text = read(`${folder}/compose.yaml`);
  const service = z.looseObject({
    ...hardened.shape,
    environment: z.record(z.string(), z.string()),
    volumes: z.array(z.string()),
  });
  const shape = z.strictObject({
    name: z.string(),
    'x-limits': z.unknown(),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
    services: z.strictObject({ portolan: service, caddy: service }),
    volumes: z.record(z.string(), z.null()),
  });
  const { services, volumes, secrets } = shape.parse(parse(text, { merge: true }));
  let made: MadeSecrets;
  beforeAll(() => {
    made = madeSecrets();
  });
  afterAll(() => made.remove());

  it('contains settings that the server accepts, and keeps its data in a volume (RUN-013)', () => {
    const given = Object.entries(services.portolan.environment);
    const filled = given.map(([name, value]) => [name, value.replaceAll(/\$\{[^}]+\}/g, 'portolan.example')]);
    const settings = settingsWith({ ...Object.fromEntries(filled), ADMIN_EMAIL: 'ada@example.com' }, made.path);
    expect(settings.ADMIN_PASSWORD).toMatch(/^[0-9a-f]{24}$/);
    expect(settings).toMatchObject({ TRUST_PROXY: true, BASE_URL: 'https://portolan.example' });
    const folders = services.portolan.volumes.map((volume) => volume.split(':'));
    expect(folders).toEqual([['data', /DATA_DIR=(\S+)/.exec(read('Dockerfile'))?.[1]]]);
    for (const one of Object.values(services))
      for (const volume of one.volumes.filter((name) => !name.startsWith('./'))) {
        expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
      }
    expect(services.portolan).not.toHaveProperty('ports');
  });

  it('contains no secret, and asks for what the example has (RUN-013)', () => {
    const asked = new Set([...text.matchAll(/\$\{(?!\w+_IMAGE:-)(\w+)/g)].map(([, name = '']) => name));
    const lines = read(`${folder}/.env.example`).match(/^\w+(?==)/gm);
    expect(lines?.toSorted()).toEqual([...asked].toSorted());
    expect(secrets).toEqual({ admin_password: { file: './secrets/admin_password' } });
  });
});

describe('docs/compose/make-secrets.sh', () => {
  it('makes each secret once, in a folder of its owner, and keeps those that are there (RUN-046)', () => {
    const made = madeSecrets();
    const secret = (name: string) => readFileSync(join(made.path, 'secrets', name), 'utf8');
    expect(made.names).toEqual(['admin_password', 'database_url', 'postgres_password', 'secret_key_base']);
    const before = made.names.map(secret);
    execFileSync('sh', [resolve('docs/compose/make-secrets.sh')], { cwd: made.path });
    expect(made.names.map(secret)).toEqual(before);
    expect(new Set(before).size).toBe(4);
    expect(statSync(join(made.path, 'secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(join(made.path, 'secrets', 'admin_password')).mode & 0o777).toBe(0o444);
    made.remove();
  });
});

describe.each([
  ['docs/running/Caddyfile', '127.0.0.1:3000', []],
  ['docs/compose/one-server/Caddyfile', 'portolan:3000', [{ words: ['lb_try_duration', '20s'], inside: [] }]],
])('%s', (path, upstream, more) => {
  it('passes everything on to the server, streams as they arrive (RUN-013)', () => {
    const [site, ...others] = directivesOf(read(path));
    expect(others).toEqual([]);
    expect(site?.inside).toEqual([
      { words: ['reverse_proxy', upstream], inside: [...more, { words: ['flush_interval', '-1'], inside: [] }] },
    ]);
  });
});

describe('docs/running/nginx.conf', () => {
  const [upstream, plain, secure] = directivesOf(read('docs/running/nginx.conf'));
  const words = all(secure?.inside ?? []);
  const header = (name: string) => words.filter((line) => line[0] === 'proxy_set_header' && line[1] === name);

  it('passes everything on to the server, and redirects http to https (RUN-013)', () => {
    expect(all(upstream?.inside ?? [])).toContainEqual(['server', '127.0.0.1:3000']);
    expect(all(plain?.inside ?? [])).toContainEqual(['return', '301', 'https://$host$request_uri']);
    expect(words).toContainEqual(['proxy_pass', 'http://portolan']);
    expect(words.filter(([name]) => name === 'location')).toEqual([['location', '/']]);
  });

  it('buffers neither streams nor uploads, and leaves the size limit to the server (RUN-013)', () => {
    for (const line of [
      ['proxy_buffering', 'off'],
      ['proxy_request_buffering', 'off'],
      ['proxy_http_version', '1.1'],
    ])
      expect(words).toContainEqual(line);
    const [, most = ''] = words.find(([name]) => name === 'client_max_body_size') ?? [];
    expect(Number(/^(\d+)m$/.exec(most)?.[1])).toBeGreaterThan(512);
    const [, wait = ''] = words.find(([name]) => name === 'proxy_read_timeout') ?? [];
    expect(Number(/^(\d+)m$/.exec(wait)?.[1])).toBeGreaterThan(1);
  });

  it('gives up a server that is gone, and looks several up again by their names (RUN-013)', () => {
    expect(words).toContainEqual(['proxy_connect_timeout', '2s']);
    const block = /^```nginx\n([^`]*)```$/m.exec(read('docs/scaling.md'))?.[1] ?? '';
    const several = all(directivesOf(block)[0]?.inside ?? []);
    const servers = several.filter(([name]) => name === 'server');
    expect(servers).toEqual([1, 2, 3].map((one) => ['server', `portolan-${one}:3000`, 'resolve']));
    expect(several).toContainEqual(['resolver', '127.0.0.11', 'valid=1s']);
    expect(several.map(([name]) => name)).toContain('zone');
  });

  it('writes each header that TRUST_PROXY believes (RUN-013)', () => {
    expect(header('X-Forwarded-For')).toEqual([['proxy_set_header', 'X-Forwarded-For', '$proxy_add_x_forwarded_for']]);
    expect(header('X-Forwarded-Proto')).toEqual([['proxy_set_header', 'X-Forwarded-Proto', '$scheme']]);
    for (const name of ['Host', 'X-Forwarded-Host'])
      expect(header(name)).toEqual([['proxy_set_header', name, '$host']]);
  });
});

describe('docs/running/portolan.service', () => {
  const lines = withoutComments(read('docs/running/portolan.service')).split('\n').filter(Boolean);
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

  it('starts what `npm start` starts, with a folder of its own (RUN-013)', () => {
    expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]']);
    expect(lines.every((line) => /^\[\w+\]$|^[A-Za-z]+=/.test(line))).toBe(true);
    const { start } = z
      .looseObject({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json'))).scripts;
    expect(values('ExecStart')).toEqual([`/usr/bin/${start}`]);
    const folder = values('StateDirectory')[0];
    expect(values('Environment')).toContain(`DATA_DIR=/var/lib/${folder}`);
  });

  it('gives a stop enough time, one signal, and only the rights that it needs (RUN-013)', () => {
    expect(Number(values('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(5_000 + stopBudgetAfter(5_000).allMs);
    expect(values('KillMode')).toEqual(['mixed']);
    expect(values('User')).toEqual(['portolan']);
    expect(values('ProtectSystem')).toEqual(['strict']);
    expect(values('MemoryDenyWriteExecute')).toEqual([]);
  });
});
