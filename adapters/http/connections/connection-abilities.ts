import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** What an assistant could do over a connection: reads and writes, by title. */
export type ConnectionAbilities = Readonly<{ reads: readonly string[]; writes: readonly string[] }>;

/** The abilities in a service: all operations that are tools. */
export function abilitiesIn(
  operations: readonly Pick<OperationInfo, 'service' | 'tool' | 'title' | 'effect'>[],
  service: ServiceKey,
): ConnectionAbilities {
  const tools = operations.filter((operation) => operation.service === service && operation.tool !== null);
  const titles = (isRead: boolean): readonly string[] =>
    tools.filter(({ effect }) => (effect === 'read') === isRead).map(({ title }) => title);
  return { reads: titles(true), writes: titles(false) };
}
