import { byOperations } from '#application/operations/by-operations.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { ServiceGateway } from '#application/ports/service-gateway.ts';
import { maxFaults } from '#domain/reaction-notes/reaction-note.ts';
import { templatedErrors } from '#domain/reaction-notes/templated-input.ts';
import type { CallCheck } from '#domain/reaction-notes/written-reaction.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

type Input = Readonly<Record<string, unknown>>;

/** Checks a call of a reaction by the operation or tool that it names. */
export type CheckCall = (name: string, input: Input) => CallCheck;

/**
 * Checks the calls of reactions against the catalog. An operation is named by its own name, 'tracker.issues.create', or
 * by its tool's. When the corresponding tool's operation accepts more of the input, for example names instead of ids,
 * that operation is called.
 */
export function operationChecks(catalog: Pick<OperationCatalog, 'operations'>, gateway: ServiceGateway): CheckCall {
  const checks = byOperations(catalog, (operations) => checksOver(operations, gateway));
  return (name, input) => checks()(name, input);
}

function checksOver(operations: OperationCatalog['operations'], gateway: ServiceGateway): CheckCall {
  const byTool = new Map(
    operations.flatMap(({ service, name, tool }) => (tool === null ? [] : [[tool, `${service}.${name}`] as const])),
  );
  const shown = shownNames({ operations });
  /** The nearest name in the form in which the unknown one is written: as an operation, or as a tool. */
  const nearestTo = (name: string): string | null => {
    const near = nearestName(name, [...names]);
    const operation = near === null ? undefined : byTool.get(near);
    const [service = '', ...rest] = (operation ?? near ?? '').split('.');
    return near === null || !name.includes('.') ? near : shown({ service, name: rest.join('.') });
  };
  const names = new Set([...operations.map(({ service, name }) => `${service}.${name}`), ...byTool.keys()]);
  return (name, input) => {
    if (!names.has(name)) return { operation: null, nearest: nearestTo(name), errors: [] };
    const own = byTool.get(name) ?? name;
    const errors = errorsIn(gateway, own, input);
    const [twin] = toolsOf(name).flatMap((tool) => byTool.get(tool) ?? []);
    const twinErrors = twin === undefined || errors.length === 0 ? errors : errorsIn(gateway, twin, input);
    return twin !== undefined && twinErrors.length < errors.length
      ? { operation: twin, nearest: null, errors: twinErrors }
      : { operation: own, nearest: null, errors };
  };
}

/** Returns whether an operation of the catalog only reads. */
export function readingIn(catalog: OperationCatalog): (operation: OperationName) => boolean {
  const reading = byOperations(
    catalog,
    (operations) =>
      new Set(operations.filter(({ effect }) => effect === 'read').map(({ service, name }) => `${service}.${name}`)),
  );
  return ({ service, name }) => reading().has(`${service}.${name}`);
}

/**
 * Returns the name by which people call an operation in a reaction: that of the operation whose tool it is, where
 * `operationChecks` finds it by that name.
 */
export function shownNames(catalog: Pick<OperationCatalog, 'operations'>): (operation: OperationName) => string {
  const shown = byOperations(catalog, shownIn);
  return ({ service, name }) => shown().get(`${service}.${name}`) ?? `${service}.${name}`;
}

function shownIn(operations: OperationCatalog['operations']): ReadonlyMap<string, string> {
  const tools = new Map(
    operations.flatMap(({ service, name, tool }) => (tool === null ? [] : [[tool, `${service}.${name}`]])),
  );
  return new Map(
    operations.flatMap(({ service, name, tool }) => {
      const own = `${service}.${name}`;
      const twin = tool === null ? toolsOf(own).flatMap((one) => tools.get(one) ?? [])[0] : undefined;
      return twin === undefined ? [] : [[twin, own] as const];
    }),
  );
}

type OperationName = Readonly<{ service: string; name: string }>;

/** Returns the possible tool names of an operation: 'tracker.issues.create' is 'tracker_issue_create'. */
function toolsOf(operation: string): readonly string[] {
  const [service = '', records = '', verb] = operation.split('.');
  if (verb === undefined) return [];
  return [records.replace(/s$/, ''), records].map((record) => `${service}_${record}_${verb}`);
}

function errorsIn(gateway: ServiceGateway, operation: string, input: Input): CallCheck['errors'] {
  const [service = '', ...name] = operation.split('.');
  const ready = gateway.prepare({ service, name: name.join('.'), input });
  if (ready.ok) return [];
  const { inputErrors: errors = [], message } = ready.failure;
  return errors.length === 0 ? [{ place: [], message }] : templatedErrors(input, errors).slice(0, maxFaults);
}
