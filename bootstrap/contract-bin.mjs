#!/usr/bin/env node
// What the package's `portolan-contract` runs, under whatever Node: the contract suite, which tests any server of the interface.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('./kit/main.js', import.meta.url)));
await import('./node24.mjs');
