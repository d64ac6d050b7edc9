import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Reads an OpenAPI document from its publisher's npm package. */
export function publishedDocument(path: string): unknown {
  return JSON.parse(readFileSync(resolve(path), 'utf8'));
}
