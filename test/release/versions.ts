import { readFile } from 'node:fs/promises';

/** Where the version stands beside package.json, and the pattern of it there. */
const places: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['server.json', /"version": "([^"]+)"/g],
  ['Dockerfile', /^ARG VERSION=(.+)$/gm],
  ['docs/compose/one-server/compose.yaml', /portolan:(\d[\w.-]*)/g],
  ['docs/compose/three-servers/compose.yaml', /portolan:(\d[\w.-]*)/g],
  ['docs/kubernetes/kustomization.yaml', /newTag: (\S+)/g],
  ['docs/package.md', /portolan-(\d+\.\d+\.\d+\S*)\.tgz/g],
];

/** Returns the files that name another version than this, or none. */
export async function versionErrors(version: string): Promise<readonly string[]> {
  const found = places.map(async ([path, pattern]) => {
    const named = [...(await readFile(path, 'utf8')).matchAll(pattern)].map(([, name = '']) => name);
    const others = [...new Set(named)].filter((name) => name !== version);
    return named.length > 0 && others.length === 0 ? [] : [`${path} names ${others.join(', ') || 'no version'}`];
  });
  return (await Promise.all(found)).flat();
}
