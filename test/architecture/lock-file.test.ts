import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockSchema, missingPlatforms, withPlatforms } from '#test/support/packages/lock-file.ts';

const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

describe('package-lock.json', () => {
  it('names the packages of every platform, else `npm ci` refuses it: `npm run lock` adds them', () => {
    expect(missingPlatforms(lock)).toEqual([]);
  });

  it('names no host', () => {
    const hosts = Object.values(lock.packages).filter(({ resolved, link }) => resolved !== undefined && link !== true);
    expect(hosts).toEqual([]);
  });
});

it('what a registry did not have is added with its platform', () => {
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
