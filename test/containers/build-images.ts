import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine, Images } from '#test/containers/engine.ts';
import packageJson from '../../package.json' with { type: 'json' };

const run = promisify(execFile);

/** Builds the image of this clone, and returns its name. */
export async function buildImage(engine: Engine, images: Images): Promise<string> {
  const name = `portolan:${packageJson.version}`;
  await build(engine, { context: '.', name, images });
  return engine.name === 'podman' ? `localhost/${name}` : name;
}

/** Builds the image of the last commit of the version before, and returns its name; null when the clone does not have it. */
export async function buildFormer(engine: Engine, images: Images, folder: string): Promise<string | null> {
  const changed = ['log', '--format=%H', '--reverse', `-S"version": "${packageJson.version}"`, '--', 'package.json'];
  const [first = ''] = (await run('git', changed)).stdout.split('\n');
  const last = await run('git', ['rev-parse', '--verify', '--quiet', `${first}^{commit}^`]).catch(() => null);
  if (last === null) return null;
  const context = join(folder, 'former');
  await rm(context, { recursive: true, force: true });
  await mkdir(context, { recursive: true });
  const archive = join(folder, 'former.tar');
  await run('git', ['archive', '--output', archive, last.stdout.trim()]);
  await run('tar', ['-xf', archive, '-C', context]);
  const name = 'portolan:former';
  await build(engine, { context, name, images });
  await rm(context, { recursive: true });
  return engine.name === 'podman' ? `localhost/${name}` : name;
}

type Build = Readonly<{ context: string; name: string; images: Images }>;

async function build(engine: Engine, { context, name, images: { NODE_IMAGE: base } }: Build): Promise<void> {
  const isPodman = engine.name === 'podman';
  // The stand-in has the names of both: the argument, and the tag that older Dockerfiles have.
  if (base !== undefined) await engine.run('tag', base, 'docker.io/library/node:24-slim');
  const cache = join(homedir(), '.npm');
  const given = base === undefined ? [] : ['--pull=never', '--network=host', '--build-arg', `NODE_IMAGE=${base}`];
  // A former Dockerfile empties the cache that it is given.
  const cached = isPodman && context === '.' && existsSync(cache) ? ['--volume', `${cache}:/root/.npm`] : [];
  await engine.show('build', ...given, ...(isPodman ? ['--format=docker'] : []), ...cached, '--tag', name, context);
}
