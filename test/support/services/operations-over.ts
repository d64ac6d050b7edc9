import { namesOf } from '#adapters/services/catalog.ts';
import { type GatewayDependencies, HttpServiceGateway } from '#adapters/services/gateway.ts';
import { RunOperation, type RunOperationDependencies } from '#application/operations/run-operation.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import { noOperationMetrics } from '#application/ports/operation-metrics.ts';
import type { ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

/** Where a test's calls have their connections from; what is learned of these is passed on only to subscribers. */
export type Credentials = Pick<RunOperationDependencies['accessTokens'], 'find' | 'renew'> &
  Partial<RunOperationDependencies['accessTokens']>;

/** What the operations are over; the system's clock when none is given. */
type Under = GatewayDependencies & Readonly<{ tokens: Credentials; clock?: Clock }>;

/** The providers' operations over real sockets, with the given credentials. */
export function operationsOver({ tokens, clock = systemClock, ...more }: Under): OperationCaller {
  const accessTokens = { worked: async () => {}, refused: async () => {}, ...tokens };
  const catalog = { operations: [], names: namesOf(more.providers) };
  const gateway = new HttpServiceGateway(more);
  return new RunOperation({ gateway, accessTokens, catalog, metrics: noOperationMetrics, clock });
}

/** What `RunOperation` works with where everybody is connected and a caller of the test's answers in place of the services. */
export function answeredBy(
  caller: OperationCaller,
): Pick<RunOperationDependencies, 'gateway' | 'accessTokens' | 'metrics' | 'clock'> {
  const gateway: ServiceGateway = {
    prepare: (call) => ok({ run: (record) => caller.call({ ...call, userId: record.userId }) }),
    prepareUndo: () => err(failed('invalid_input', 'Nothing is taken back here.')),
  };
  const find: Credentials['find'] = async (userId, service) => ok(tokenRecord(service, { userId }));
  const accessTokens = { find, renew: async () => find(0, 'vault'), worked: async () => {}, refused: async () => {} };
  return { gateway, accessTokens, metrics: noOperationMetrics, clock: systemClock };
}
