import type { OperationCatalog } from '#application/ports/operation-catalog.ts';

/** The operations of a catalogue that are tools. */
const toolsOf = ({ operations }: OperationCatalog) => operations.filter(({ tool }) => tool !== null);

/** The names of the inputs that a tool takes. */
export function inputsOf(catalog: OperationCatalog, tool: string): readonly string[] {
  const operation = catalog.operations.find((candidate) => candidate.tool === tool);
  return Object.keys(operation?.inputSchema['properties'] ?? {});
}

/** What each tool takes, as a schema. */
export function inputSchemasOf(catalog: OperationCatalog) {
  return toolsOf(catalog).map(({ tool, inputSchema }) => ({ tool, inputSchema }));
}

/** What each tool answers with, as a schema; null where it tells none. */
export function outputSchemasOf(catalog: OperationCatalog) {
  return toolsOf(catalog).map(({ tool, output }) => ({ tool, outputSchema: output?.contentSchema ?? null }));
}

/** The tools that tell no shape of their answers, sorted. */
export function toolsWithoutOutput(catalog: OperationCatalog): readonly string[] {
  return toolsOf(catalog)
    .flatMap(({ tool, output }) => (output === null ? (tool ?? []) : []))
    .sort();
}
