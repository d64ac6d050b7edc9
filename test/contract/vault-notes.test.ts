import { MemoryVaultNotes } from '#adapters/memory/memory-vault-notes.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/vault-notes.ts';
import { vaultNotesContract } from '#test/contract/vault-notes.contract.ts';
import { openVaultGateway } from '#test/support/vault-gateway.ts';

vaultNotesContract('memory', async () => ({ notes: new MemoryVaultNotes(), close: async () => undefined }));

vaultNotesContract("the vault's REST interface", async () => {
  const { gateway, close } = await openVaultGateway();
  return { notes: new GatewayVaultNotes(gateway, 1), close };
});
