import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  lockSchema,
  missingHashes,
  missingPlatforms,
  withHashes,
  withPlatforms,
} from '#test/support/packages/lock-file.ts';

const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

describe('package-lock.json', () => {
  it('names the packages of every platform, without which `npm ci` fails: run `npm run lock`', () => {
    expect(missingPlatforms(lock)).toEqual([]);
  });

  it('has a hash of every package, on every platform: run `npm run lock` (PKG-012)', () => {
    expect(missingHashes(lock)).toEqual([]);
  });

  it('names no registry host', () => {
    const hosts = Object.values(lock.packages).filter(({ resolved, link }) => resolved !== undefined && link !== true);
    expect(hosts).toEqual([]);
  });
});

it('npm run lock adds a package that the registry left out, with its platform', () => {
  const linter = {
    version: '1.0.0',
    dev: true,
    license: 'MIT',
    optionalDependencies: { '@lint/linux-x64-musl': '1.0.0' },
  };
  const completed = withPlatforms({ packages: { 'node_modules/lint': linter } });
  expect(completed.packages['node_modules/@lint/linux-x64-musl']).toEqual({
    version: '1.0.0',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    license: 'MIT',
    optional: true,
    os: ['linux'],
  });
  expect(missingPlatforms(completed)).toEqual([]);
});

it('npm run lock adds hashes, and nothing else in their place (PKG-012)', () => {
  const hash = `sha512-${'a'.repeat(86)}==`;
  const bare = {
    packages: { 'node_modules/@lint/x': { version: '1.0.0', dev: true }, 'node_modules/y': { version: '2.0.0' } },
  };
  expect(missingHashes(bare)).toEqual([
    { name: '@lint/x', version: '1.0.0' },
    { name: 'y', version: '2.0.0' },
  ]);
  const completed = withHashes(
    bare,
    new Map([
      ['@lint/x@1.0.0', hash],
      ['y@2.0.0', 'no such package'],
    ]),
  );
  expect(completed.packages['node_modules/@lint/x']).toEqual({ version: '1.0.0', integrity: hash, dev: true });
  expect(missingHashes(completed)).toEqual([{ name: 'y', version: '2.0.0' }]);
});
