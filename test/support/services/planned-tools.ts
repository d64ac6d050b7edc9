import type { OperationCatalog } from '#application/ports/operation-catalog.ts';

/** The operations of a catalogue that are tools. */
export const toolsOf = ({ operations }: OperationCatalog) =>
  operations.flatMap((operation) => (operation.tool === null ? [] : [{ ...operation, tool: operation.tool }]));

/** The names of the inputs that a tool takes. */
export function inputsOf(catalog: OperationCatalog, tool: string): readonly string[] {
  const operation = catalog.operations.find((candidate) => candidate.tool === tool);
  return Object.keys(operation?.inputSchema['properties'] ?? {});
}

/** The tools without an output schema, sorted. */
export function toolsWithoutOutput(catalog: OperationCatalog): readonly string[] {
  return toolsOf(catalog)
    .flatMap(({ tool, output }) => (output === null ? [tool] : []))
    .sort();
}
