import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { AskedProgram } from '#application/programs/asked-program.ts';
import type { ShownCall } from '#application/programs/program-calls.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { isObject } from '#domain/json/json-data.ts';
import { worstAmong } from '#domain/operations/effect.ts';
import { digestOfPlan } from '#domain/programs/plan.ts';
import { programOperation, programService } from '#domain/programs/program-names.ts';

/** The program as the call that a person is asked about. */
export function callOf({ code, input, choice, explain }: AskedProgram): OperationCall {
  const asked = explain === null ? {} : { explain };
  return { service: programService, name: programOperation, input: { code, input, choice }, asked };
}

/** The program of such a call; null for any other. */
export function programIn({ input: given, asked }: OperationCall): AskedProgram | null {
  if (!isObject(given)) return null;
  const { code, input = null, choice } = given;
  if (typeof code !== 'string' || !isObject(choice)) return null;
  const { services, isReadonly } = choice;
  const some = Array.isArray(services) ? services.filter((one) => typeof one === 'string') : null;
  return {
    code,
    input,
    choice: { services: some, isReadonly: isReadonly !== false },
    isDry: false,
    explain: asked?.explain ?? null,
    approval: null,
    signal: AbortSignal.timeout(maxAllowedMs),
  };
}

/** How long a program may run that a person allowed: within the time after which its outcome counts as unknown. */
const maxAllowedMs = 4 * 60_000;

/** All changes of a plan as one, which a person allows or refuses as a whole. */
export function changeOf(planned: readonly ShownCall[]): PlannedChange {
  const impossible = planned.flatMap(({ change }) => change?.irreversible ?? []);
  return {
    input: {},
    effect: worstAmong(planned.map((one) => one.planned.effect)),
    differences: planned.flatMap(({ planned: { service, operation, input }, change }) =>
      change === null
        ? [{ kind: 'record' as const, id: null, title: `${service}.${operation}`, fields: fieldsOf(input) }]
        : change.differences,
    ),
    account: '',
    state: digestOfPlan(planned.map((one) => one.planned)),
    irreversible: impossible[0] ?? null,
    undo: () => null,
  };
}

function fieldsOf(input: unknown): readonly Readonly<{ field: string; after: unknown }>[] {
  return Object.entries(input ?? {}).map(([field, after]) => ({ field, after }));
}
