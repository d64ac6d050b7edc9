import { z } from 'zod';
import { isBundled } from '#bootstrap/build/javascript.ts';

const names = z.record(z.string(), z.string());
const sourceSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  mcpName: z.string(),
  type: z.literal('module'),
  bin: names,
  exports: z.record(z.string(), z.unknown()),
  files: z.array(z.string()),
  dependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.unknown()),
});

/** The package.json of the package, as it is packed. */
export type PackageManifest = z.infer<typeof sourceSchema> & Readonly<{ engines: Readonly<{ node: string }> }>;

/** What a configuration imports to describe inputs, in this version; the program has a bundled copy of its own. */
const forConfigurations = ['zod'];

/**
 * Makes the package.json of the package from that of the clone: the dependencies are those that are not in our files, and
 * Node 24 is needed, which a clone brings along and the package does not.
 */
export function packageManifest(source: string): PackageManifest {
  const { dependencies, ...rest } = sourceSchema.parse(JSON.parse(source));
  const installed = Object.entries(dependencies).filter(
    ([name]) => forConfigurations.includes(name) || !isBundled(name),
  );
  return { ...rest, engines: { node: '>=24' }, dependencies: Object.fromEntries(installed) };
}
