import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import type { OnPlanned, PlannedChange, Undo } from '#domain/changes/planned-change.ts';
import { failed, type Outcome, type Success, succeeded } from '#domain/operations/outcome.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { vaultProvider } from '#test/support/services/providers.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';

/** What a change said of itself before it was made, and its outcome. */
export type Planned = Readonly<{ plans: readonly PlannedChange[]; outcome: Outcome }>;

/** The outcome of a change that was ended by its plan. */
export const ended = failed('approval_required', 'Ended.');

const noRequest = (): Outcome => failed('rejected', 'No request is sent.');

/** The team's vault in a temporary folder, whose changes are planned, made and taken back. */
export async function openPlannedVault() {
  const vault = await openTestVault({ listen: null, keepDeletedMs: 86_400_000 });
  const http = new HttpClient(() => 0);
  const gateway = new HttpServiceGateway({ providers: [{ ...vaultProvider('neutral'), local: vault.local }], http });
  const record = tokenRecord('vault', { extra: { embedded: true } });
  const noting =
    (plans: PlannedChange[], end: Outcome | null): OnPlanned<Outcome> =>
    async (plan) => {
      plans.push(plan);
      return end;
    };

  /** Calls an operation whose plan ends it (`ended`) or lets it go on. */
  async function plan(name: string, input: unknown, end: Outcome | null = null): Promise<Planned> {
    const plans: PlannedChange[] = [];
    const ready = gateway.prepare({ service: 'vault', name, input, onPlanned: noting(plans, end) });
    return { plans, outcome: ready.ok ? await ready.value.run(record, noRequest) : ready.failure };
  }

  async function takeBack(
    { name, undo, end = null }: Readonly<{ name: string; undo: Undo | null; end?: Outcome | null }>,
    isForced = false,
  ): Promise<Planned> {
    const plans: PlannedChange[] = [];
    const onPlanned = noting(plans, end);
    // What is kept is JSON.
    const kept = JSON.parse(JSON.stringify(undo));
    const ready = gateway.prepareUndo({ service: 'vault', name, undo: kept, isForced, onPlanned });
    return { plans, outcome: ready.ok ? await ready.value.run(record, noRequest) : ready.failure };
  }

  return {
    folder: vault.folder,
    plan,
    takeBack,
    /** Makes a change, and returns how it is taken back. */
    change: async (name: string, input: unknown): Promise<Undo | null> => {
      const { plans, outcome } = await plan(name, input);
      if (!outcome.ok) throw new Error(outcome.message);
      const done: Success = succeeded(outcome.data);
      return plans[0]?.undo(done) ?? null;
    },
    close: async () => {
      http.close();
      await vault.close();
    },
  };
}
