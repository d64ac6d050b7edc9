// Leaves out of the bill of materials in the working directory what is not there: the packages of other platforms.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { sbomFile } from '#bootstrap/build/write-package.ts';

const ref = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() });
const component = z.looseObject({
  'bom-ref': z.string(),
  properties: z.tuple([z.object({ name: z.literal('portolan:place'), value: z.string() })]),
});
const schema = z.looseObject({ components: z.array(component), dependencies: z.array(ref) });

const bom = schema.parse(JSON.parse(readFileSync(sbomFile, 'utf8')));
const gone = new Set(
  bom.components.filter(({ properties: [{ value }] }) => !existsSync(value)).map((one) => one['bom-ref']),
);
const isThere = (name: string): boolean => !gone.has(name);
const components = bom.components.filter((one) => isThere(one['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref: name }) => isThere(name))
  .map(({ dependsOn, ...one }) => (dependsOn === undefined ? one : { ...one, dependsOn: dependsOn.filter(isThere) }));
writeFileSync(sbomFile, `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
