import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let root: string;
let dataDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'portolan-first-'));
  chmodSync(root, 0o755);
  dataDir = join(root, 'data');
  mkdirSync(dataDir, { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true }));

/** A user who owns nothing, such as one that a container is started with. */
const stranger = 12_345;

const script = `
const { openSecrets } = await import(process.argv[1]);
await openSecrets({ dataDir: process.argv[2] }).catch(({ name, message }) => console.log(name + ': ' + message));
`;

/** What opening the secrets ends with, as another user. */
function refusal(): string {
  const module = join(import.meta.dirname, '../../../bootstrap/start/first-start.ts');
  const args = ['--no-warnings', '--input-type=module', '--eval', script, module, dataDir];
  const options = { uid: stranger, gid: stranger, cwd: import.meta.dirname, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, args, { ...options, env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
}

/** Whether this process may be another user for a while, who can read the sources. */
const canBeAnother = (() => {
  try {
    dataDir = '/';
    return process.getuid?.() === 0 && refusal() !== '';
  } catch {
    return false;
  }
})();

describe.skipIf(!canBeAnother)('a folder of data that belongs to another user', () => {
  it.each([
    ['readable', 0o755],
    ['closed', 0o700],
  ])('and is %s ends the start with one sentence that names its owner (SET-025)', (_, mode) => {
    chmodSync(dataDir, mode);
    expect(refusal()).toMatch(
      /^StartError: DATA_DIR: \S+data cannot be written \(EACCES\)\. It belongs to user 0\. The server runs as user 12345: /,
    );
  });

  it('with a secret that only its owner can read ends the start with one sentence (SET-025)', () => {
    writeFileSync(join(dataDir, 'secret_key_base'), 'x'.repeat(64), { mode: 0o600 });
    expect(refusal()).toMatch(/^StartError: \S+secret_key_base cannot be read \(EACCES\)\. It belongs to user 0\./);
  });
});
