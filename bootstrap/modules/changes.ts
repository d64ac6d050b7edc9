import { ContainerModule } from 'inversify';
import { LineDifferences } from '#adapters/differences/line-differences.ts';
import { AskApproval } from '#application/approvals/ask-approval.ts';
import { DecideApproval } from '#application/approvals/decide-approval.ts';
import { ChangeGate } from '#application/changes/change-gate.ts';
import { KeepChange } from '#application/changes/keep-change.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

const dayMs = 24 * 60 * 60_000;

/** Binds what the changes of apps pass before they are sent: dry runs, questions to people, what is kept of them. */
export const changes = new ContainerModule(({ bind }) => {
  bind(LineDifferences).toDynamicValue(() => new LineDifferences());
  bind(tokens.approvalFloor).toDynamicValue(() => ({ asks: () => false }));
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
  bind(DecideApproval).toDynamicValue((on) => {
    const { approvals, allowedOperations } = on.get(tokens.stores);
    const operations = on.get(RunOperation);
    return new DecideApproval({
      approvals,
      allowed: allowedOperations,
      floor: on.get(tokens.approvalFloor),
      grants: on.get(tokens.appGrants),
      users: on.get(tokens.users),
      run: operations.runAllowed.bind(operations),
      services: on.get(tokens.serviceNames).keys,
      clock: on.get(tokens.clock),
    });
  });
});
