import { ContainerModule } from 'inversify';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import { Attention } from '#application/attention/attention.ts';
import { toolsAddressOf } from '#bootstrap/modules/remote-servers.ts';
import { waitingTools } from '#bootstrap/modules/remote-setup.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';

/** Binds what lists the things that need somebody. */
export const attention = new ContainerModule(({ bind }) => {
  bind(Attention).toDynamicValue((on) => {
    const storage = on.get(Storage);
    const attending = new Attention({
      connections: on.get(tokens.connections),
      approvals: on.get(tokens.stores).approvals,
      reactions: on.get(tokens.reactionApprovals),
      inbox: on.get(tokens.inbox),
      reactionLog: on.get(tokens.reactionLog),
      registrations: on.get(tokens.webhookRegistrations),
      budgets: on.get(ConnectionLimits),
      waitingTools: () => waitingTools(on),
      trouble: storage.trouble,
      clock: on.get(tokens.clock),
    });
    on.get(tokens.resourceChanges).listen(({ address }) => {
      if (address.startsWith(toolsAddressOf(''))) attending.forgetTools();
    });
    return attending;
  });
});
