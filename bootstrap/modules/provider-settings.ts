import type { ResolutionContext } from 'inversify';
import { SealedEnteredSettings } from '#adapters/stores/sealed-entered-settings.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';

/** The address under which a change of what was entered is published to all servers. */
const address = 'portolan://provider-settings';

/** Creates what administrators enter for the providers, which is loaded again when another server changes it. */
export function providerSettings(on: ResolutionContext): ProviderSettings {
  const { settings, secrets } = on.get(tokens.runtime);
  const [changes, others, logger] = [
    on.get(tokens.resourceChanges),
    on.get(tokens.otherServers),
    on.get(tokens.logger),
  ];
  const entered = new ProviderSettings({
    store: new SealedEnteredSettings(on.get(tokens.serverFacts), boxFor('entered', secrets)),
    use: (all) => settings.live.enter(all),
    apps: () => settings.live.apps(),
    connections: on.get(tokens.connections),
    leases: on.get(tokens.leases),
    random: on.get(tokens.random),
    clock: on.get(tokens.clock),
    logger,
    note: on.get(tokens.note),
    publish: () => changes.publish({ address }),
    isHearing: () => others.isAlone() || others.isHearing(),
    now: () => performance.now(),
  });
  const load = (): void =>
    void entered
      .load()
      .catch((error: unknown) => logger.error({ err: error }, 'The entered provider settings could not be read'));
  changes.listen((change) => {
    if (change.address === address) load();
  });
  others.onMissed(load);
  return entered;
}
