import { isRestOnly } from '#application/operations/rest-only.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted, isWhollyOff, mayChange } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** What a client chose of the tools. */
export type ProgramChoice = Readonly<{ services: readonly ServiceKey[] | null; isReadonly: boolean }>;

/**
 * The operations that a program of this user's app may call: those of the catalogue (TOOL-018) whose services are
 * connected, without those that answer a file.
 */
export function offeredOperations(
  { operations }: Pick<OperationCatalog, 'operations'>,
  user: User,
  {
    connected,
    choice: { services, isReadonly },
  }: Readonly<{ connected: ReadonlySet<ServiceKey>; choice: ProgramChoice }>,
): readonly OperationInfo[] {
  return operations.filter((operation) => {
    const { service, effect, tool, route, isFile } = operation;
    const isInCatalogue = tool !== null || (route !== null && !isRestOnly(operation));
    const isOpen = isPermitted(user, service) && connected.has(service) && (services?.includes(service) ?? true);
    return (
      isInCatalogue &&
      !isFile &&
      isOpen &&
      (effect === 'read' || (mayChange(user, service) && !isReadonly)) &&
      !isWhollyOff(user, operation)
    );
  });
}
