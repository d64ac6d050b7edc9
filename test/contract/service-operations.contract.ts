import { describe, expect, it } from 'vitest';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { storedEffectOf } from '#domain/operations/effect.ts';
import { inputsOf, toolsOf, toolsWithoutOutput } from '#test/support/services/planned-tools.ts';

/** What a service's operations and tools are to be: lists copied by hand from the descriptions of the interface and of the tools. */
export type PlannedOperations = Readonly<{
  catalog: OperationCatalog;
  /** What the rows of the table send, and what they are to send: method and path, or the root of a GraphQL document. */
  rows: readonly string[];
  plannedRows: readonly string[];
  /** Method and path of each REST route. */
  plannedRoutes: readonly string[];
  /** Writes a route so that two which differ in the names of their places only are the same; without it they are compared as they are. */
  plain?: (route: string) => string;
  plannedTools: readonly string[];
  /** Tools beyond the planned ones, by hand. */
  moreTools?: readonly string[];
  /** The inputs that a tool cannot do without, by tool. */
  inputs?: Readonly<Record<string, readonly string[]>>;
  /** Tools that answer with a file or with text, and so have no schema of their answers. */
  withoutOutput: readonly string[];
  /** Tools that may lose something. */
  destroying: readonly string[];
  maxTitleLength: number;
}>;

const same = (route: string) => route;

/** Checks a service's operations, REST routes and tools against what is planned. */
export function serviceOperationsContract(service: string, planned: PlannedOperations): void {
  const { catalog, plain = same, plannedTools, moreTools = [] } = planned;
  const toolNames = [...plannedTools, ...moreTools];
  const tools = toolsOf(catalog);
  const sorted = (routes: readonly string[]) => routes.map(plain).sort();

  describe(`the operations of ${service}`, () => {
    it('are those of its interface, and only others that give a reason', () => {
      expect(sorted(planned.rows)).toEqual(sorted(planned.plannedRows));
    });

    it('have unique REST routes (REST-001)', () => {
      const routes = catalog.operations.flatMap(({ route }) =>
        route === null ? [] : [`${route.method} ${route.path}`],
      );
      expect(sorted(routes)).toEqual(sorted(planned.plannedRoutes));
      expect(new Set(routes).size).toBe(routes.length);
    });

    it('describe all their inputs', () => {
      const undescribed = catalog.operations.flatMap(({ name, inputSchema }) =>
        Object.entries(inputSchema['properties'] ?? {}).flatMap(([input, schema]) =>
          typeof schema === 'object' && schema !== null && 'description' in schema ? [] : [`${name}: ${input}`],
        ),
      );
      expect(undescribed).toEqual([]);
    });
  });

  describe(`the tools of ${service}`, () => {
    it('have these names (TOOL-001)', () => {
      expect(tools.map(({ tool }) => tool).sort()).toEqual(toolNames.toSorted());
    });

    it.each(Object.entries(planned.inputs ?? {}))('accept their inputs: %s', (tool, inputs) => {
      expect(inputsOf(catalog, tool)).toEqual(expect.arrayContaining([...inputs]));
    });

    it.each(tools)('have a short title, and mention only tools that exist: $tool', ({ title, summary }) => {
      expect(title?.length).toBeLessThanOrEqual(planned.maxTitleLength);
      expect(summary?.length).toBeLessThanOrEqual(300);
      const prefix = /^[a-z]+_/.exec(plannedTools[0] ?? '')?.[0] ?? '';
      const named = summary?.match(new RegExp(`\\b${prefix}[a-z_]+`, 'g')) ?? [];
      expect(named.filter((name) => !toolNames.includes(name))).toEqual([]);
    });

    it('declare the schema of their answers, except those that answer text or a file', () => {
      expect(toolsWithoutOutput(catalog)).toEqual([...planned.withoutOutput].sort());
    });

    it('are marked when they may lose something or reach others (TOOL-002)', () => {
      const destroying = tools.filter(({ effect }) => storedEffectOf(effect) === 'destroy').map(({ tool }) => tool);
      expect(destroying.sort()).toEqual([...planned.destroying].sort());
    });
  });
}
