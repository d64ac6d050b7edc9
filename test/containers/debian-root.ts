import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const asRoot = ['-o', 'APT::Sandbox::User=root'] as const;

/**
 * A release with a Caddy that repeats a POST at the next server, an nginx that looks names up again, and a DNS server for
 * podman that loses no query.
 */
export const newerRelease = 'forky';

/** Packages of Debian, of the release that this machine has unless another is named. */
export type Packages = Readonly<{ names: readonly string[]; release?: string }>;

/** Puts the files of the packages below `root`, without running their scripts. */
export async function unpackPackages({ names, release }: Packages, folder: string, root: string): Promise<void> {
  const files = join(folder, 'packages');
  await mkdir(files, { recursive: true });
  await mkdir(root, { recursive: true });
  const options = release === undefined ? [] : await listsOf(release, folder);
  await run('apt-get', [...options, ...asRoot, 'download', '-qq', ...names], { cwd: files });
  const isFirst = (file: string): number => (file.startsWith('base-files_') ? 0 : 1);
  // The links from /bin to /usr/bin are among the files of base-files in the newer releases.
  const sorted = (await readdir(files)).toSorted((left, right) => isFirst(left) - isFirst(right));
  for (const file of sorted) await run('dpkg-deb', ['--extract', join(files, file), root]);
}

/** Fetches another release's lists of packages into the folder, from where this machine has its own; returns apt-get's options for them. */
async function listsOf(release: string, folder: string): Promise<readonly string[]> {
  const format = '$(REPO_URI) $(LABEL)';
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const address = /^(\S+) Debian$/m.exec(stdout)?.[1];
  if (address === undefined) throw new Error('this machine has no packages of Debian');
  const apt = join(folder, 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial']) await mkdir(join(apt, path), { recursive: true });
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const signed = existsSync(keys) ? `[signed-by=${keys}] ` : '';
  await writeFile(join(apt, 'sources.list'), `deb ${signed}${address} ${release} main\n`);
  const settings = [
    `Dir::Etc::sourcelist=${join(apt, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
  ];
  const options = settings.flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...options, ...asRoot, 'update', '-qq']);
  return options;
}
