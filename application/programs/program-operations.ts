import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { ProgramOperation } from '#application/ports/program-sandbox.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { programOperation, programService } from '#domain/programs/program-names.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/** The names under which operations take the place of the next page. */
const pagingInputs: readonly string[] = ['cursor', 'page_token', 'after', 'start', 'page', 'offset', 'index'];

/** The effect of a program for hints and switches: the worst that it may have. */
export const programEffect: Effect = 'lose';

/** What users switch off to have no programs run for them. */
export const programSwitch = {
  service: programService,
  name: programOperation,
  title: 'Run programs',
  effect: programEffect,
  effects: [programEffect],
};

/** The operations that a program may call, by the paths that it may call them by. */
export class ProgramOperations {
  readonly #byPath = new Map<string, OperationInfo>();

  constructor(operations: readonly OperationInfo[]) {
    for (const operation of operations) this.#byPath.set(pathOf(operation), operation);
    for (const operation of operations) {
      const { service, name } = operation;
      const path = `${service}.${name}`;
      if (!this.#byPath.has(path)) this.#byPath.set(path, operation);
    }
  }

  /** Finds an operation by its path, by its tool's name, or by a path in camel case. */
  find(path: string): OperationInfo | null {
    const snake = path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const known = this.#byPath.get(path) ?? this.#byPath.get(snake);
    return known ?? [...this.#byPath.values()].find(({ tool }) => tool === path) ?? null;
  }

  /** The path that is nearest to an unknown one; null when none is near. */
  nearest(path: string): string | null {
    return nearestName(path, [...this.#byPath.keys()]);
  }

  /** The operations as the sandbox shows them. */
  get shown(): readonly ProgramOperation[] {
    return [...this.#byPath].map(([path, { inputSchema }]) => ({ path, paging: pagingInputOf(inputSchema) }));
  }
}

/** The path of an operation below `portolan`: its tool's name after the service, or its own name where it has no tool. */
export function pathOf({ service, name, tool }: Pick<OperationInfo, 'service' | 'name' | 'tool'>): string {
  if (tool === null) return `${service}.${name}`;
  const short = tool.startsWith(`${service}_`) ? tool.slice(service.length + 1) : tool.slice(tool.indexOf('_') + 1);
  return `${service}.${short}`;
}

function pagingInputOf({ properties }: OperationInfo['inputSchema']): string | null {
  return isObject(properties) ? (pagingInputs.find((name) => Object.hasOwn(properties, name)) ?? null) : null;
}
