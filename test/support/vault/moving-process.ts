import { localVaultOperations } from '#adapters/services/vault/operations/local.ts';
import { startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';

// A vault in a process of its own, which does one operation, to be killed within it.
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };
const [folder = '', name = '', input = '{}'] = process.argv.slice(2);
const vault = await startEmbeddedVault({ folder, listen: null, clock: { now: () => Date.now() }, logger: silent });
const operation = localVaultOperations(vault, () => '').get(name);
await vault.vault.list('');
process.send?.('begun');
await operation?.(JSON.parse(input), nothing);
process.send?.('done');

function nothing(): void {}
