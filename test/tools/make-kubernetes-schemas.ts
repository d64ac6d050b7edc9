// Takes the schemas of the objects in docs/kubernetes from the models of Kubernetes' own client, which are generated from its OpenAPI
// document: `node bootstrap/node24.mjs test/tools/make-kubernetes-schemas.ts <folder of the unpacked @kubernetes/client-node>`.
// A type is kept with its members; those that the files do not reach are not there.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubernetesFiles, type Schemas, typeNameOf } from '#test/support/kubernetes/objects.ts';

const models = join(process.argv[2] ?? '.', 'dist/gen/models');
const { version } = JSON.parse(await readFile(join(models, '../../../package.json'), 'utf8'));
const types: Record<string, Record<string, string>> = {};

/** Reads a type, and those of the members that a value has. */
async function take(type: string, value: unknown): Promise<void> {
  const item = /^Array<(.*)>$|^{ \[key: string\]: (.*); }$/.exec(type);
  if (item !== null) {
    for (const one of Object.values(Object(value))) await take(item[1] ?? item[2] ?? '', one);
    return;
  }
  if (!/^[A-Z]\w+$/.test(type) || /^(?:Date|IntOrString)$/.test(type)) return;
  types[type] ??= await membersOf(type);
  for (const [name, member] of Object.entries(Object(value))) {
    const given = types[type][name]?.replace(/!$/, '');
    if (given !== undefined) await take(given, member);
  }
}

async function membersOf(type: string): Promise<Record<string, string>> {
  const [code, declared] = await Promise.all([
    readFile(join(models, `${type}.js`), 'utf8'),
    readFile(join(models, `${type}.d.ts`), 'utf8'),
  ]);
  const members = code.matchAll(/"name": "(\w+)",\s+"baseName": "([^"]+)",\s+"type": "([^"]+)"/g);
  const isNeeded = (name = ''): boolean => new RegExp(`'${name}': `).test(declared);
  return Object.fromEntries(
    [...members].map(([, name, base = '', of = '']) => [base, `${of}${isNeeded(name) ? '!' : ''}`]),
  );
}

for (const { objects } of kubernetesFiles()) for (const object of objects) await take(typeNameOf(object), object);
const sorted = Object.fromEntries(Object.entries(types).sort(([one], [other]) => (one < other ? -1 : 1)));
const schemas: Schemas = { source: `@kubernetes/client-node ${version}`, types: sorted };
await writeFile('test/support/kubernetes/schemas.json', `${JSON.stringify(schemas, null, 1)}\n`);
process.stdout.write(`${Object.keys(sorted).length} types\n`);
