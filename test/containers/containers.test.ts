import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusterRows } from '#test/containers/cluster-rows.ts';
import { imageRows } from '#test/containers/image-rows.ts';
import { obstacle } from '#test/containers/podman-here.ts';

const rows = [...imageRows, ...clusterRows];

describe('npm run containers', () => {
  it('has rows by names of their own, of which CI runs those that take one container (RUN-048)', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.filter(({ isLong }) => !isLong).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['image-contents', 'hardened-run', 'stop', 'kill', 'replace']),
    );
    expect(readFileSync('.ci/run', 'utf8')).toContain('npm run --silent containers -- --short');
  });

  it('says why it cannot run where it cannot (RUN-048)', async () => {
    const why = await obstacle();
    if (process.platform !== 'linux' || process.getuid?.() !== 0) expect(why).toBe('this is not Linux as root');
    else if (why !== null) expect(why).toMatch(/apt-get|namespaces/);
  });

  it('is what the documents on running refer to, by names that it has (RUN-048)', () => {
    const names = new Set(rows.map(({ name }) => name));
    const documents = ['docs/running/README.md', 'docs/operations.md', 'docs/scaling.md', 'docs/upgrading.md'];
    const referred = documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/`containers ([\w-]+)`/g)].map(([, name = '']) => name),
    );
    expect(referred.filter((name) => !names.has(name))).toEqual([]);
    expect(rows.map(({ name }) => name).filter((name) => !referred.includes(name))).toEqual([]);
  });
});
