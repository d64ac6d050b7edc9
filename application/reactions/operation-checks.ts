import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { ServiceGateway } from '#application/ports/service-gateway.ts';
import { templatedErrors } from '#domain/reaction-notes/templated-input.ts';
import type { ReactionChecks } from '#domain/reaction-notes/written-reaction.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Validates the calls of reactions against the catalog. An operation is named by its own name, 'tracker.issues.create',
 * or by its tool's. When the corresponding tool's operation accepts more of the input, for example names instead of
 * ids, that operation is called.
 */
export function operationChecks(
  { operations }: OperationCatalog,
  gateway: ServiceGateway,
): Pick<ReactionChecks, 'operations' | 'input' | 'chosen'> {
  const byTool = new Map(
    operations.flatMap(({ service, name, tool }) => (tool === null ? [] : [[tool, `${service}.${name}`] as const])),
  );
  const names = operations.map(({ service, name }) => `${service}.${name}`);
  const input = (operation: string, given: Input) => errorsIn(gateway, byTool.get(operation) ?? operation, given);
  const chosen = (operation: string, given: Input): string => {
    const own = byTool.get(operation) ?? operation;
    const [twin] = toolsOf(operation).flatMap((tool) => byTool.get(tool) ?? []);
    return twin !== undefined && input(twin, given).length < input(own, given).length ? twin : own;
  };
  return {
    operations: [...names, ...byTool.keys()],
    chosen,
    input: (name, given) => input(chosen(name, given), given),
  };
}

/** Returns whether an operation of the catalog only reads. */
export function readingIn({ operations }: OperationCatalog): (operation: OperationName) => boolean {
  const reading = new Set(
    operations.filter(({ effect }) => effect === 'read').map(({ service, name }) => `${service}.${name}`),
  );
  return ({ service, name }) => reading.has(`${service}.${name}`);
}

type OperationName = Readonly<{ service: string; name: string }>;

/** Returns the possible tool names of an operation: 'tracker.issues.create' is 'tracker_issue_create'. */
function toolsOf(operation: string): readonly string[] {
  const [service = '', records = '', verb] = operation.split('.');
  if (verb === undefined) return [];
  return [records.replace(/s$/, ''), records].map((record) => `${service}_${record}_${verb}`);
}

function errorsIn(gateway: ServiceGateway, operation: string, input: Input) {
  const [service = '', ...name] = operation.split('.');
  const ready = gateway.prepare({ service, name: name.join('.'), input });
  if (ready.ok) return [];
  const { inputErrors: errors = [], message } = ready.failure;
  return errors.length === 0 ? [{ place: [], message }] : templatedErrors(input, errors);
}
