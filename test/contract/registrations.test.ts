import * as runner from 'vitest';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { noteLinkStores } from '#test/support/contracts/note-links.ts';
import { registrationStores } from '#test/support/contracts/registrations.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of registrationStores) registrationsContract(runner, store);
for (const store of noteLinkStores) noteLinksContract(runner, store);
runner.afterAll(emptyPool);
