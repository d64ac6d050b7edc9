import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { operations } from '#adapters/services/tracker/operations.ts';

/*
 * Checks every GraphQL document of the tracker's table against a schema file, so that a wrong field is found without a
 * network. The package `graphql` is needed for this alone and is no dependency of the project.
 */

const usage =
  'npx --yes -p graphql@16 node bootstrap/node24.mjs test/tools/check-graphql.ts path/to/schema.graphql [more schema files]';

type Graphql = Readonly<{
  buildSchema(text: string, options: Readonly<{ assumeValidSDL: boolean }>): unknown;
  parse(text: string): unknown;
  validate(schema: unknown, document: unknown): readonly Readonly<{ message: string }>[];
}>;

function isGraphql(value: unknown): value is Graphql {
  return (
    typeof value === 'object' && value !== null && 'buildSchema' in value && 'parse' in value && 'validate' in value
  );
}

/** The package as installed here, or as `npx -p` brought it: npx puts its `.bin` folder into PATH. */
async function graphqlPackage(): Promise<Graphql | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.endsWith('.bin'));
  for (const from of [import.meta.filename, ...folders.map((folder) => join(folder, '..', 'any.js'))]) {
    try {
      const found: unknown = await import(pathToFileURL(createRequire(from).resolve('graphql')).href);
      const inner: unknown = typeof found === 'object' && found !== null && 'default' in found ? found.default : found;
      if (isGraphql(found)) return found;
      if (isGraphql(inner)) return inner;
    } catch {
      // Not there; the next place may have it.
    }
  }
  return null;
}

const table: Readonly<Record<string, Operation>> = operations;

/** The documents of the table by the name of their row. */
function documents(): readonly (readonly [string, string])[] {
  return Object.entries(table).flatMap(([name, row]) =>
    row.kind === 'request' && row.options.graphql !== undefined ? [[name, row.options.graphql.document] as const] : [],
  );
}

async function main(files: readonly string[]): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (files.length === 0) {
    say(`A schema file is needed: ${usage}`);
    return 2;
  }
  const graphql = await graphqlPackage();
  if (graphql === null) {
    say(`The package "graphql" is not here. Run it so: ${usage}`);
    return 2;
  }
  let faults = 0;
  for (const file of files) {
    const schema = graphql.buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true });
    for (const [name, document] of documents()) {
      for (const { message } of graphql.validate(schema, graphql.parse(document))) {
        faults += 1;
        say(`${name}: ${message}`);
      }
    }
    say(`${documents().length} documents against ${file}: ${faults} faults`);
  }
  return faults === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
