import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** An OpenAPI document as its publisher's package has it. */
export function publishedDocument(path: string): unknown {
  return JSON.parse(readFileSync(resolve(path), 'utf8'));
}
