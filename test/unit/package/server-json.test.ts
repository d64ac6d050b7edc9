import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

/*
 * By hand from server.schema.json of 2025-12-11, what of it a package from npm can have. Objects are strict, so that a misspelt member is
 * found, which the schema itself would let pass.
 */
const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const environmentVariable = z.strictObject({ ...input, name: z.string() });
const argument = z
  .strictObject({
    ...input,
    type: z.literal('positional'),
    valueHint: z.string().optional(),
    isRepeated: z.boolean().optional(),
  })
  .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined);
const httpUrl = z.string().regex(/^https?:\/\/[^\s]+$/);
const transport = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('stdio') }),
  z.strictObject({ type: z.literal('streamable-http'), url: httpUrl }),
]);
const npmPackage = z.strictObject({
  registryType: z.literal('npm'),
  identifier: z.string(),
  version: z
    .string()
    .min(1)
    .regex(/^\d+\.\d+\.\d+$/),
  runtimeHint: z.literal('npx'),
  transport,
  packageArguments: z.array(argument).optional(),
  environmentVariables: z.array(environmentVariable).optional(),
});
const serverSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  packages: z.array(npmPackage).min(1),
});

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifest = z
  .object({ name: z.string(), version: z.string(), mcpName: z.string(), bin: z.record(z.string(), z.string()) })
  .parse(json('package.json'));

it('server.json has the format of the MCP registry, and the name and version of the package (PKG-007)', () => {
  const { name, version, packages } = serverSchema.parse(json('server.json'));
  expect({ name, version }).toEqual({ name: manifest.mcpName, version: manifest.version });
  for (const { identifier, version: packageVersion } of packages) {
    expect({ identifier, version: packageVersion }).toEqual({ identifier: manifest.name, version: manifest.version });
  }
});

it('server.json names existing settings, which a URL in it may name in braces', () => {
  const settings = readFileSync('docs/settings.md', 'utf8');
  for (const {
    environmentVariables = [],
    transport: { type, ...rest },
  } of serverSchema.parse(json('server.json')).packages) {
    const names = environmentVariables.map(({ name }) => name);
    for (const name of names) expect(settings).toContain(`\`${name}\``);
    const inUrl = 'url' in rest ? [...rest.url.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable) : [];
    expect(names, type).toEqual(expect.arrayContaining(inUrl));
  }
});
