import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** The folder of the kustomize base. */
export const kubernetesFolder = 'docs/kubernetes';

/** Types of Kubernetes by name: their members' types, of which those with an exclamation mark at the end are needed. */
export type Schemas = Readonly<{ source: string; types: Readonly<Record<string, Readonly<Record<string, string>>>> }>;

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** An object of Kubernetes, as a file has it. */
export type KubernetesObject = z.infer<typeof objectSchema>;

/** The objects of each file of the base, besides those of kustomize. */
export function kubernetesFiles(): readonly Readonly<{ file: string; objects: readonly KubernetesObject[] }>[] {
  const files = readdirSync(kubernetesFolder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return files.sort().map((file) => ({ file, objects: objectsIn(readFileSync(join(kubernetesFolder, file), 'utf8')) }));
}

/** Parses a YAML text with objects of Kubernetes; numbers such as 0440 are octal, as Kubernetes reads them. */
function objectsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => objectSchema.parse(document.toJS()));
}

/** Returns the name of an object's type in the client: `V2HorizontalPodAutoscaler`. */
export function typeNameOf({ apiVersion, kind }: KubernetesObject): string {
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  return `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`;
}

/** Returns what of a value does not fit its type, by its path: unknown and missing members, and values of another type. */
export function misfits(value: unknown, type: string, { types }: Schemas, path = ''): readonly string[] {
  const [, item, ofMap] = /^Array<(.*)>$|^{ \[key: string\]: (.*); }$/.exec(type) ?? [];
  const inside = (name: string | number, one: unknown, of: string) =>
    misfits(one, of, { source: '', types }, `${path}/${name}`);
  if (item !== undefined) {
    return Array.isArray(value) ? value.flatMap((one, index) => inside(index, one, item)) : [`${path} is no list`];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const isFine = type === 'IntOrString' ? /^(?:string|number)$/.test(typeof value) : typeof value === type;
    return isFine ? [] : [`${path} is no ${type}`];
  }
  if (ofMap !== undefined) return Object.entries(value).flatMap(([name, one]) => inside(name, one, ofMap));
  const members = types[type];
  if (members === undefined) return [`${path}: the type ${type} is not among the schemas`];
  const missing = Object.entries(members).flatMap(([name, of]) =>
    of.endsWith('!') && !Object.hasOwn(value, name) ? [`${path}/${name} is missing`] : [],
  );
  const given = Object.entries(value).flatMap(([name, one]) => {
    const of = Object.hasOwn(members, name) ? members[name] : undefined;
    return of === undefined ? [`${path}/${name} is no member of ${type}`] : inside(name, one, of.replace(/!$/, ''));
  });
  return [...missing, ...given];
}
