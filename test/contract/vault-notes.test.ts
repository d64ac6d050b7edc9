import * as runner from 'vitest';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { embeddedNotes, memoryNotes, vaultsOverHttp } from '#test/support/contracts/vault-notes.ts';
import { casesOf } from '#test/support/form.ts';

/** Of the releases of the notes app, the oldest and the newest in the short form. */
const overHttp = casesOf(vaultsOverHttp, ({ name }) => !/4\.1\.7|5\.1\.0/.test(name));
for (const vault of [memoryNotes, embeddedNotes, ...overHttp]) vaultNotesContract(runner, vault);
