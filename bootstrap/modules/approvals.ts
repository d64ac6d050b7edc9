import { ContainerModule } from 'inversify';
import { approvalRoutes } from '#adapters/http/approvals/approval-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { floorRoutes, readFloor } from '#adapters/http/setup/floor-routes.ts';
import { approvalAddress } from '#adapters/mcp/resources/approval-resource.ts';
import { ApprovalFloors } from '#application/approvals/approval-floors.ts';
import { DecideApproval } from '#application/approvals/decide-approval.ts';
import { shownNames } from '#application/reactions/operation-checks.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** The address under which a change of the floor is published to all servers. */
const floorAddress = 'portolan://approval-floor';

/** Binds what persons and administrators decide about the changes of apps. */
export const approvals = new ContainerModule(({ bind }) => {
  bind(ApprovalFloors).toDynamicValue((on) => {
    const [changes, others] = [on.get(tokens.resourceChanges), on.get(tokens.otherServers)];
    const floors = new ApprovalFloors({
      facts: on.get(tokens.serverFacts),
      parse: readFloor,
      publish: () => changes.publish({ address: floorAddress }),
      isHearing: () => others.isAlone() || others.isHearing(),
      now: () => performance.now(),
    });
    const logger = on.get(tokens.logger);
    const load = (): void =>
      void floors
        .load()
        .catch((error: unknown) => logger.error({ err: error }, 'What is asked first could not be read'));
    changes.listen(({ address }) => {
      if (address === floorAddress) load();
    });
    others.onMissed(load);
    return floors;
  });
  bind(tokens.approvalFloor).toDynamicValue((on) => on.get(ApprovalFloors));
  bind(tokens.onApproval).toDynamicValue((on) => {
    const changes = on.get(tokens.resourceChanges);
    return (approval) => changes.publish({ address: approvalAddress(approval) });
  });
  bind(tokens.approvalRoutes).toDynamicValue((on) => {
    const clock = on.get(tokens.clock);
    const [formGuard, catalog] = [on.get(FormGuard), on.get(tokens.catalog)];
    return [
      ...approvalRoutes({
        approvals: on.get(DecideApproval),
        floor: on.get(tokens.approvalFloor),
        catalog,
        formGuard,
        nameOf: shownNames(catalog),
        keptDays: on.get(tokens.runtime).settings.UNDO_DAYS,
        now: () => clock.now(),
      }),
      ...floorRoutes({ floors: on.get(ApprovalFloors), names: catalog.names, formGuard, note: on.get(tokens.note) }),
    ];
  });
});
