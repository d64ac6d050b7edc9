import { describe, expect, it } from 'vitest';
import { isUnlisted, noteName, readVaultPath } from '#domain/notes/vault-path.ts';

describe('a path of a request', () => {
  it.each([
    ['a.md', 'a.md', false],
    ['a%20b.md', 'a b.md', false],
    ['a%2Fb.md', 'a/b.md', false],
    ['folder/', 'folder', true],
    ['', '', false],
    ['a//b/./c.md', 'a/b/c.md', false],
    ['%2541.md', '%41.md', false],
  ])('%s is %s', (encoded, path, endsInSlash) => {
    expect(readVaultPath(encoded, 'linux')).toEqual({ ok: true, value: { path, endsInSlash } });
  });

  it.each(['..', '../a', 'a/../b', 'a/..', '/a', '%2Fa', 'a%00', 'a%5Cb', 'a\\b', '%', '%E0%A4', '%2e%2e/a'])(
    '%s is outside of the vault',
    (encoded) => {
      expect(readVaultPath(encoded, 'linux')).toEqual({ ok: false, failure: { reason: 'outside' } });
    },
  );

  it.each([
    '.env',
    'a/.htaccess',
    '.dot.md',
    '..md',
    '...',
    '%2Eenv',
    '.git/config',
    'a/.trash/b.md',
    '.~AAAAAAAAAAAAAAAA.tmp',
    'a/.~AAAAAAAAAAAAAAAA.tmp',
  ])('%s is hidden', (encoded) => {
    expect(readVaultPath(encoded, 'linux')).toEqual({ ok: false, failure: { reason: 'hidden' } });
  });

  it.each(['con.md', 'NUL', 'a/aux.txt/b.md', 'COM1.md', 'note.md:stream', 'C:a', 'a?.md', 'dot.', 'space ', 'tab\t'])(
    '%s cannot be used on Windows, but elsewhere',
    (name) => {
      const encoded = name.split('/').map(encodeURIComponent).join('/');
      expect(readVaultPath(encoded, 'win32')).toEqual({ ok: false, failure: { reason: 'unusable_name' } });
      expect(readVaultPath(encoded, 'linux').ok).toBe(true);
    },
  );
});

it('a listing leaves out names that start with a dot, at any depth', () => {
  expect(['a.md', '.a.md', 'a/.b/c.md', 'a/b.c/d.md'].map(isUnlisted)).toEqual([false, true, true, false]);
});

it("a note's name is its last part without the extension", () => {
  expect(['a/b c.md', 'x', 'v1.2.md'].map(noteName)).toEqual(['b c', 'x', 'v1.2']);
});
