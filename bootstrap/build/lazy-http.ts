import http from 'node:http';
import type { Plugin } from 'rolldown';

/** What is there once `node:http` is loaded; the others load `undici`, the client behind `fetch`, as soon as they are read. */
const members = Object.entries(Object.getOwnPropertyDescriptors(http))
  .filter(([, member]) => 'value' in member)
  .map(([name]) => name);

const asObject = `
const http = process.getBuiltinModule('node:http');
export default http;
export const { ${members.join(', ')} } = http;
`;

const id = '\0lazy-http';

/**
 * Has the modules take `node:http` as an object. An `import` of it reads all that it has, also what brings `undici` and web streams with it:
 * a server that calls no `fetch` would keep 3 MB for them, and take as long to start as they take to load.
 */
export const lazyHttp: Plugin = {
  name: 'lazy-http',
  resolveId: (specifier, _, { kind }) => {
    if (!isHttp(specifier)) return null;
    return kind === 'require-call' ? { id: specifier, external: true } : id;
  },
  load: (path) => (path === id ? { code: asObject, moduleSideEffects: false } : null),
};

/** Whether an import is of `node:http`. */
export function isHttp(specifier: string): boolean {
  return specifier === 'http' || specifier === 'node:http';
}
