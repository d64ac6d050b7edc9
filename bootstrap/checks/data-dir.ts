import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Finding, good, look, wrong } from '#bootstrap/checks/finding.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { codeOf } from '#bootstrap/start/first-start.ts';

/** The permission bits of users other than the owner, in a file's mode. */
const others = 0o077;
const hasModes = process.platform !== 'win32';

/** Checks whether `DATA_DIR` is writable, and only by its owner; or can be created. */
export async function checkDataDir({ dataDir }: Settings): Promise<Finding> {
  const found = await stat(dataDir).catch(codeOf);
  if (found === 'ENOENT') return checkParent(dataDir);
  if (typeof found === 'string') return wrong(`DATA_DIR: ${dataDir} cannot be checked (${found})`, 'check its path');
  if (!found.isDirectory()) return wrong(`DATA_DIR: ${dataDir} is a file`, 'name a folder');
  if (!(await isWritable(dataDir))) {
    return wrong(
      `DATA_DIR: ${dataDir} cannot be written by this user`,
      'run this as the user of the server, or change the owner with chown',
    );
  }
  // The group of root, which may read it anyway, has the folder of the image.
  const open = found.gid === 0 ? others & 0o007 : others;
  if (hasModes && (found.mode & open) !== 0) {
    return look(`DATA_DIR: ${dataDir} is open to other users of this machine`, `chmod 700 ${dataDir}`);
  }
  return good(`DATA_DIR: ${dataDir} can be written, by its owner only`);
}

async function checkParent(dataDir: string): Promise<Finding> {
  let parent = dirname(dataDir);
  while (parent !== dirname(parent) && (await stat(parent).catch(codeOf)) === 'ENOENT') parent = dirname(parent);
  return (await isWritable(parent))
    ? look(`DATA_DIR: ${dataDir} does not exist yet`, 'the first start creates it')
    : wrong(`DATA_DIR: ${dataDir} cannot be created in ${parent}`, 'choose a writable folder');
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Checks the secret and returns it when it is valid. Findings never contain the secret. */
export async function checkSecret(settings: Settings): Promise<Readonly<{ secret: string | null; finding: Finding }>> {
  const { SECRET_KEY_BASE: given, dataDir } = settings;
  if (given !== undefined) return { secret: given, finding: good('Secret: SECRET_KEY_BASE is set') };
  const file = join(dataDir, 'secret_key_base');
  const found = await stat(file).catch(codeOf);
  if (found === 'ENOENT') {
    return { secret: null, finding: look('Secret: none yet', 'the first start creates one, or set SECRET_KEY_BASE') };
  }
  const text = await readFile(file, 'utf8').catch(codeOf);
  const secret = text.trim();
  if (typeof found === 'string' || Buffer.byteLength(secret) < 32) {
    const why = 'holds fewer than 32 bytes, or cannot be read by this user';
    return {
      secret: null,
      finding: wrong(`Secret: ${file} ${why}`, 'restore it from a backup, or set SECRET_KEY_BASE'),
    };
  }
  const isOpen = hasModes && (found.mode & others) !== 0;
  const finding = isOpen
    ? look(`Secret: ${file} can be read by other users of this machine`, `chmod 600 ${file}`)
    : good(`Secret: ${file} exists and can be read by its owner only`);
  return { secret, finding };
}
