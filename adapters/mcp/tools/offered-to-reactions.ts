import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { shownNames } from '#application/reactions/operation-checks.ts';
import { isObject } from '#domain/json/json-data.ts';
import { eventFields } from '#domain/reaction-notes/event-fields.ts';
import { eventShapeOf, knownEventNames } from '#domain/reaction-notes/known-events.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/** The maximum length of the lists of operations and of events, in characters. */
const maxOperations = 16_000;
const maxEvents = 6_000;
const maxSummary = 110;

/** Lists the events of the services, and the record fields that have a neutral name. */
export function eventsText(services: readonly ServiceKey[]): string {
  const lines = services.flatMap((service) => {
    const names = own(knownEventNames, service);
    const events =
      names === undefined ? eventsWithoutList(service) : names.map((name) => `${service}.${name}`).join(', ');
    const fields = Object.entries(own(eventFields, service) ?? {}).map(
      ([kind, all]) => `  ${kind} has ${all.map((field) => `${kind}.${field}`).join(', ')}`,
    );
    return [`- ${events}`, ...fields];
  });
  return within(lines, maxEvents, 'events');
}

function eventsWithoutList(service: ServiceKey): string {
  return eventShapeOf(service) ?? `${service}.<event>, as the service names them`;
}

/** Lists the operations that change something, with their inputs; the space is divided equally among the services. */
export function operationsText(catalog: OperationCatalog, services: readonly ServiceKey[]): string {
  const nameOf = shownNames(catalog);
  return services
    .map((service) => {
      const all = catalog.operations.filter(
        (one) => one.service === service && one.tool !== null && one.effect !== 'read',
      );
      return within(
        all.map((one) => operationText(one, nameOf(one))),
        Math.floor(maxOperations / services.length),
        'operations',
      );
    })
    .filter((text) => text !== '')
    .join('\n');
}

function operationText({ summary, inputSchema }: OperationInfo, shown: string): string {
  const { properties, required } = inputSchema;
  const needed = Array.isArray(required) ? required : [];
  const inputs = isObject(properties) ? Object.keys(properties) : [];
  const named = inputs.map((input) => (needed.includes(input) ? `${input}*` : input)).join(', ');
  const said = summary.length > maxSummary ? `${summary.slice(0, maxSummary)}…` : summary;
  return `- ${shown}: ${said} Inputs: ${named}`;
}

/** Joins the lines that fit, and says how many were omitted. */
function within(lines: readonly string[], maxLength: number, what: string): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxLength) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return [...kept, ...(left === 0 ? [] : [`- … and ${left} more ${what}: name the services to see them`])].join('\n');
}
