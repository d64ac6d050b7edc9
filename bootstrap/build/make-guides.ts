import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideDocuments } from '#bootstrap/build/service-guides.ts';
import { allServices } from '#bootstrap/services.ts';

// Writes the pages on the providers, docs/services, from the guides of the services.
const folder = 'docs/services';
mkdirSync(folder, { recursive: true });
const documents = guideDocuments(allServices);
for (const { name, text } of documents) writeFileSync(join(folder, name), text);
process.stdout.write(`${documents.length} pages\n`);
