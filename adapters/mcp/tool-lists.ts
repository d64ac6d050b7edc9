import { declarationsOf } from '#adapters/mcp/programs/declarations.ts';
import { workspaceRun } from '#adapters/mcp/programs/workspace-run.ts';
import { isContractTool } from '#adapters/mcp/tools/contract-tools.ts';
import { operationTools, otherOperationTools, type Running } from '#adapters/mcp/tools/operation-tools.ts';
import { type Declare, directTools, searchTools } from '#adapters/mcp/tools/search-tools.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { byOperations } from '#application/operations/by-operations.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { RunProgram } from '#application/programs/run-program.ts';

/** The tools of a server, by who is listed them; `searched` are all, and the other operations. */
export type ToolLists = Readonly<{
  all: ToolRegistry;
  usual: ToolRegistry;
  catalogue: ToolRegistry;
  programs: ToolRegistry;
  searched: ToolRegistry;
}>;

type ToolListsDependencies = Running &
  Readonly<{
    catalog: OperationCatalog;
    connections: Pick<Connections, 'overview'>;
    version: string;
    /** The tools besides those of operations. */
    tools: readonly Tool[];
    outputSchemas: boolean;
    defaultTools: 'all' | 'contract';
    programs: Pick<RunProgram, 'run' | 'offered'> | null;
  }>;

/** Returns the tools as they are at each call: the same lists until the operations of the catalog change. */
export function toolLists(dependencies: ToolListsDependencies): () => ToolLists {
  return byOperations(dependencies.catalog, () => listsOf(dependencies));
}

function listsOf(dependencies: ToolListsDependencies): ToolLists {
  const { catalog, connections, version, tools, outputSchemas, defaultTools, programs } = dependencies;
  const all = new ToolRegistry([...tools, ...operationTools(catalog, dependencies)], version, {
    hasOutputs: outputSchemas,
  });
  const direct = directTools.flatMap((name) => all.tools.get(name) ?? []);
  const searched = new ToolRegistry([...all.tools.values(), ...otherOperationTools(catalog, dependencies)], version);
  const programTool = programs === null ? [] : [workspaceRun(programs)];
  const finding = searchTools(searched, connections, programs === null ? null : declaring(catalog));
  const catalogue = new ToolRegistry([...finding, ...programTool, ...direct], version, { hasOutputs: outputSchemas });
  const [searching] = finding;
  const shared = all.tools.get('workspace_search');
  const withPrograms = new ToolRegistry(
    [...programTool, ...(searching === undefined ? [] : [searching]), ...(shared === undefined ? [] : [shared])],
    version,
    { hasOutputs: outputSchemas, services: all.services },
  );
  const usual =
    defaultTools === 'all'
      ? all
      : new ToolRegistry([...all.tools.values()].filter(isContractTool), version, { hasOutputs: outputSchemas });
  return { all, usual, catalogue, programs: withPrograms, searched };
}

/** Declares the operations of tools, for programs. */
function declaring({ operations }: OperationCatalog): Declare {
  const byKey = new Map(operations.map((one) => [`${one.service} ${one.name}`, one]));
  return (tools) => {
    const found = tools.flatMap(({ operation }) =>
      operation === undefined ? [] : (byKey.get(`${operation.service} ${operation.name}`) ?? []),
    );
    return declarationsOf(
      found.filter(({ isFile }) => !isFile),
      false,
    );
  };
}
