import { ContainerModule } from 'inversify';
import { LineDifferences } from '#adapters/differences/line-differences.ts';
import { AskApproval } from '#application/approvals/ask-approval.ts';
import { DecideApproval } from '#application/approvals/decide-approval.ts';
import { ChangeGate } from '#application/changes/change-gate.ts';
import { KeepChange } from '#application/changes/keep-change.ts';
import { TakeBack } from '#application/changes/take-back.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { failed } from '#domain/operations/outcome.ts';
import { programService } from '#domain/programs/program-names.ts';
import { ok } from '#domain/shared/result.ts';
import { accountOf } from '#domain/tokens/account.ts';

const noPrograms = Promise.resolve(failed('forbidden', 'Programs are switched off on this server.'));
const dayMs = 24 * 60 * 60_000;

/** Binds what the changes of apps pass before they are sent: dry runs, questions to people, what is kept of them. */
export const changes = new ContainerModule(({ bind }) => {
  bind(LineDifferences).toDynamicValue(() => new LineDifferences());
  bind(AskApproval).toDynamicValue((on) => {
    const { approvals, allowedOperations } = on.get(tokens.stores);
    return new AskApproval({
      approvals,
      allowed: allowedOperations,
      floor: on.get(tokens.approvalFloor),
      differences: on.get(LineDifferences),
      clock: on.get(tokens.clock),
      random: on.get(tokens.random),
      baseUrl: on.get(tokens.runtime).baseUrl,
      onApproval: on.get(tokens.onApproval),
    });
  });
  bind(KeepChange).toDynamicValue(
    (on) =>
      new KeepChange({
        kept: on.get(tokens.stores).keptChanges,
        differences: on.get(LineDifferences),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        keepMs: on.get(tokens.runtime).settings.UNDO_DAYS * dayMs,
      }),
  );
  bind(ChangeGate).toDynamicValue(
    (on) =>
      new ChangeGate({
        asking: on.get(AskApproval),
        keeping: on.get(KeepChange),
        differences: on.get(LineDifferences),
      }),
  );
  bind(TakeBack).toDynamicValue((on) => {
    const operations = on.get(RunOperation);
    const accessTokens = on.get(AccessTokens);
    return new TakeBack({
      kept: on.get(tokens.stores).keptChanges,
      undo: operations.undo.bind(operations),
      accountOf: async (userId, service) => {
        const found = await accessTokens.find(userId, service);
        return found.ok ? ok(accountOf(found.value)) : found;
      },
      leases: on.get(tokens.leases),
      clock: on.get(tokens.clock),
      random: on.get(tokens.random),
      names: on.get(tokens.serviceNames),
      keepMs: on.get(tokens.runtime).settings.UNDO_DAYS * dayMs,
    });
  });
  bind(DecideApproval).toDynamicValue((on) => {
    const { approvals, allowedOperations } = on.get(tokens.stores);
    const [operations, takeBack] = [on.get(RunOperation), on.get(TakeBack)];
    return new DecideApproval({
      approvals,
      allowed: allowedOperations,
      floor: on.get(tokens.approvalFloor),
      grants: on.get(tokens.appGrants),
      users: on.get(tokens.users),
      run: (user, call, allowed) => {
        const { undoOf, ...asked } = call.asked ?? {};
        if (call.service === programService)
          return on.get(tokens.programs)?.runAllowed(user, call, allowed) ?? noPrograms;
        if (undoOf === undefined) return operations.runAllowed(user, call, allowed);
        return takeBack.run(user, undoOf, { asked, allowed });
      },
      reactions: on.get(tokens.reactionApprovals),
      services: on.get(tokens.serviceNames).keys,
      clock: on.get(tokens.clock),
      note: on.get(tokens.note),
      onApproval: on.get(tokens.onApproval),
    });
  });
});
