#!/usr/bin/env node
// The package's `portolan` executable, for any Node version: `portolan [command] [args]`.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('./cli/portolan.js', import.meta.url)));
await import('./node24.mjs');
