import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockSchema, missingPlatforms, withPlatforms } from '#test/support/packages/lock-file.ts';

const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

describe('package-lock.json', () => {
  it('names the packages of every platform, without which `npm ci` fails: run `npm run lock`', () => {
    expect(missingPlatforms(lock)).toEqual([]);
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
