import * as runner from 'vitest';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { embeddedNotes, memoryNotes, vaultsOverHttp } from '#test/support/contracts/vault-notes.ts';

for (const vault of [memoryNotes, embeddedNotes, ...vaultsOverHttp]) vaultNotesContract(runner, vault);
