import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { pagesOf } from '#adapters/services/answers/output.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { answeredBy } from '#test/support/services/operations-over.ts';

const row = (
  service: OperationInfo['service'],
  name: string,
  tool: string | null,
  more: Omit<Partial<OperationInfo>, 'effects' | 'effectOf'> = {},
) =>
  ({
    service,
    name,
    tool,
    title: `Title of ${name}`,
    summary: `Summary of ${name}.`,
    effect: 'read',
    effects: [more.effect ?? 'read'],
    effectOf: () => more.effect ?? 'read',
    isIdempotent: true,
    isOpenWorld: service !== 'vault',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
    output: null,
    isFile: false,
    route: null,
    upload: null,
    ...more,
  }) satisfies OperationInfo;

/** A catalog of a few operations whose services stand in another order than the service keys. */
export const fakeCatalog: OperationCatalog = {
  names: neutralNames,
  instructions: [{ name: 'Vault', tools: 'vault_*' }],
  operations: [
    row('vault', 'notes.read', 'vault_note_read'),
    row('vault', 'notes.delete', 'vault_note_delete', { effect: 'lose' }),
    row('vault', 'hidden', null),
    row('vault', 'list', 'vault_vault_list', { output: pagesOf(z.string()) }),
    row('vault', 'commands.run', 'vault_command_run', { effect: 'change', isIdempotent: false }),
    row('vault', 'search', 'vault_search'),
    row('tracker', 'teams.list', 'tracker_teams_list'),
    row('sales_crm', 'deals.list', 'sales_crm_deals_list'),
  ],
};

/** A gateway whose answers depend on the operation: it works, fails, breaks, waits for the end of its signal, or reports progress. */
export class FakeGateway implements OperationCaller {
  readonly calls: UserCall[] = [];
  readonly events = new EventEmitter();

  async call(call: UserCall): Promise<Outcome> {
    this.calls.push(call);
    switch (call.name) {
      case 'notes.read':
        return succeeded('# Acme\n\nA note.');
      case 'notes.delete':
        return failed('rate_limited', 'Too many calls.', { retryAfterMs: 1500 });
      case 'list':
        return succeeded(['a.md', 'b.md'], { next: 'c2', hasMore: true });
      case 'commands.run':
        throw new Error('the secret inside');
      case 'search':
        return this.#searchSlowly(call);
      default:
        return succeeded({ id: 1, title: 'Big deal' });
    }
  }

  /** Two steps of progress, then it waits for `go on` or for the end of the signal. */
  async #searchSlowly({ signal, onProgress }: UserCall): Promise<Outcome> {
    onProgress?.({ done: 1, total: 3, message: 'one' });
    onProgress?.({ done: 1, total: 3, message: 'not further than before' });
    onProgress?.({ done: 2, total: null, message: 'two' });
    const goOn = once(this.events, 'go on', signal === undefined ? {} : { signal });
    this.events.emit('started');
    try {
      await goOn;
      return succeeded({ found: 2 });
    } catch {
      this.events.emit('aborted');
      return failed('unavailable', 'Given up.');
    }
  }
}

/** The real use case over a gateway: permission first, then the call. */
export function runOver(gateway: OperationCaller): RunOperationFor {
  const operation = new RunOperation({ ...answeredBy(gateway), catalog: fakeCatalog });
  return (user, call) => operation.run(user, call);
}
