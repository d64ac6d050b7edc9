import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';

// The file of a secret is what an operator, an orchestrator or somebody with access to its folder made of it.

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-secrets-'));
  writeFileSync(at('good'), 'secret\n');
  writeFileSync(at('huge'), '');
  truncateSync(at('huge'), 4 * 1024 ** 3);
  writeFileSync(at('large'), 'x'.repeat(65_537));
  writeFileSync(at('largest'), 'x'.repeat(65_536));
  writeFileSync(at('binary'), Buffer.from([0xff, 0xfe, 0x00, 0x41]));
  writeFileSync(at('null'), 'secret\0more');
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync(at('good'), at('link'));
  symlinkSync(at('pipe'), at('link-to-pipe'));
  symlinkSync(at('nowhere'), at('dangling'));
  symlinkSync(at('circle'), at('circle'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function errorOf(path: string): string {
  try {
    readSettings({ VAULT_API_KEY_FILE: path });
    return '';
  } catch (error) {
    if (!(error instanceof SettingErrors)) throw error;
    return error.errors.map(({ variable, message }) => `${variable} ${message}`).join('\n');
  }
}

describe('a file of a secret', () => {
  it.each([
    ['huge', 'which has more than 65536 bytes'],
    ['large', 'which has more than 65536 bytes'],
    ['binary', 'which is not text'],
    ['null', 'which is not text'],
    ['pipe', 'which is not a file'],
    ['link-to-pipe', 'which is not a file'],
    ['', 'which is not a file'],
    ['dangling', 'which cannot be read (ENOENT)'],
    ['circle', 'which cannot be read (ELOOP)'],
    ['good/below', 'which cannot be read (ENOTDIR)'],
    ['none', 'which cannot be read (ENOENT)'],
  ])('that is wrong, "%s", is refused at once, by its name (CONF-017)', (name, why) => {
    expect(errorOf(at(name))).toBe(`VAULT_API_KEY_FILE names ${at(name)}, ${why}`);
  });

  it.each(['/dev/zero', '/dev/null'])('that is the device %s is refused (CONF-017)', (path) => {
    expect(errorOf(path)).toBe(`VAULT_API_KEY_FILE names ${path}, which is not a file`);
  });

  it('may be a link, as orchestrators make them, and of the largest size (CONF-017)', () => {
    expect(readSettings({ VAULT_API_KEY_FILE: at('link') }).VAULT_API_KEY).toBe('secret');
    expect(readSettings({ VAULT_API_KEY_FILE: at('largest') }).VAULT_API_KEY).toHaveLength(65_536);
  });

  it.each(['secret', './good', 'kP8#secret-that-was-meant-for-the-other-variable'])(
    'is named by an absolute path: "%s" is refused, and not quoted, since it may be the secret (CONF-017)',
    (path) => {
      expect(errorOf(path)).toBe('VAULT_API_KEY_FILE must be the absolute path of a file with the secret');
    },
  );

  it('is not taken from what all objects inherit (CONF-014)', () => {
    const env = Object.create({ VAULT_API_KEY_FILE: at('good') });
    expect(readSettings(env).VAULT_API_KEY).toBeUndefined();
  });
});
