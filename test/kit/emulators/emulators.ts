import type { ServiceKey } from '#test/kit/clause.ts';
import { type CloudService, salesCrm, signing, suiteCrm, tracker } from '#test/kit/emulators/cloud-services.ts';
import type { Emulator } from '#test/kit/emulators/emulator.ts';
import { type EmulatedVault, vault } from '#test/kit/emulators/vault.ts';

/** The services that take OAuth and send deliveries. */
export const cloudKeys = ['sales_crm', 'signing', 'suite_crm', 'tracker'] as const;
export type CloudKey = (typeof cloudKeys)[number];

/** The five services of a kit, each on a port of its own. */
export type Emulators = Readonly<{
  cloud: Readonly<Record<CloudKey, CloudService>>;
  vault: EmulatedVault;
  of(service: ServiceKey): Emulator;
  close(): Promise<void>;
}>;

/**
 * Opens them. `listen` is an address and a port: the first service gets that port and the others the ports after it, in the order of
 * `cloudKeys` and then the vault; port 0 gives each a free one.
 */
export async function openEmulators(listen: string): Promise<Emulators> {
  const [host = '', port = '0'] = listen.split(':');
  const suite: CloudService = suiteCrm(() => suite.emulator.url);
  const cloud = { sales_crm: salesCrm(), signing: signing(), suite_crm: suite, tracker: tracker() };
  const notes = vault();
  const all = [...cloudKeys.map((key) => cloud[key].emulator), notes.emulator];
  const first = Number(port);
  await Promise.all(all.map((emulator, index) => emulator.listen(host, first === 0 ? 0 : first + index)));
  return {
    cloud,
    vault: notes,
    of: (service) => (service === 'vault' ? notes.emulator : cloud[service].emulator),
    close: async () => {
      await Promise.all(all.map((emulator) => emulator.close()));
    },
  };
}
