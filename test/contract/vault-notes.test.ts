import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import { vaultNotesContract } from '#test/contract/vault-notes.contract.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

vaultNotesContract('memory', async () => ({ notes: new MemoryVaultNotes(), close: async () => undefined }));

for (const dialect of ['neutral', 'obsidian'] as const) {
  vaultNotesContract(`${dialect}, over HTTP to the embedded vault`, async () => {
    const { gateway, close } = await openVaultGateway(dialect);
    return { notes: new GatewayVaultNotes(gateway, 1), close };
  });
}

vaultNotesContract('neutral, within the process', async () => {
  const vault = await openTestVault({ listen: null });
  const { gateway, close } = await openVaultGateway('neutral', vault);
  return { notes: new GatewayVaultNotes(gateway, 1), close };
});

for (const release of ['3.4.6', '4.1.7', '5.1.0', '6.0.0']) {
  vaultNotesContract(`obsidian, over HTTP to release ${release} of the notes app's server`, async () => {
    const { vault } = await openNotesApp(release);
    const { gateway, close } = await openVaultGateway('obsidian', vault);
    return { notes: new GatewayVaultNotes(gateway, 1), close };
  });
}
