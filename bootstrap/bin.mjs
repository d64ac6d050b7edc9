#!/usr/bin/env node
// What the package's `portolan` runs, under whatever Node: `portolan [command] [args]`.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('./cli/portolan.js', import.meta.url)));
await import('./node24.mjs');
