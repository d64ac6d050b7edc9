import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import type { VaultNotesSubject } from '#test/contracts/vault-notes.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

type Gateway = Awaited<ReturnType<typeof openVaultGateway>>;

function subject(
  name: string,
  open: () => Promise<Opened<VaultNotes>>,
  versions = true,
): VaultNotesSubject<Opened<VaultNotes>> {
  return { name, open, supports: { durable: false, processes: false, versions } };
}

const over = ({ gateway, close }: Gateway): Opened<VaultNotes> => ({ port: new GatewayVaultNotes(gateway, 1), close });

/** The notes that tests use. */
export const memoryNotes = subject('memory', async () => ({
  port: new MemoryVaultNotes(),
  close: async () => undefined,
}));

/** The embedded vault, without a socket between, which is known to write under conditions. */
export const embeddedNotes = subject('neutral, within the process', async () => {
  const { gateway, close } = await openVaultGateway('neutral', await openTestVault({ listen: null }));
  return { port: new GatewayVaultNotes(gateway, 1, async () => true), close };
});

/** The vaults behind the REST interface, in both dialects, and releases of the notes app’s own server. */
export const vaultsOverHttp = [
  subject('neutral, over HTTP to the embedded vault', async () => over(await openVaultGateway('neutral'))),
  subject('obsidian, over HTTP to the embedded vault', async () => over(await openVaultGateway('obsidian'))),
  ...['3.4.6', '4.1.7', '5.1.0', '6.0.0'].map((release) =>
    subject(
      `obsidian, over HTTP to release ${release} of the notes app’s server`,
      async () => over(await openVaultGateway('obsidian', (await openNotesApp(release)).vault)),
      Number.parseInt(release, 10) >= 5,
    ),
  ),
];

/** All sinks. */
export const vaults = [memoryNotes, embeddedNotes, ...vaultsOverHttp];
