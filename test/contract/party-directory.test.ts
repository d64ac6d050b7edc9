import * as runner from 'vitest';
import { partyDirectoryContract } from '#test/contracts/party-directory.ts';
import { memoryPartyDirectory, suiteCrmDirectories } from '#test/support/contracts/party-directory.ts';

partyDirectoryContract(runner, memoryPartyDirectory);
for (const directory of suiteCrmDirectories) partyDirectoryContract(runner, directory);
