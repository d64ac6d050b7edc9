#!/usr/bin/env node
// The package's `portolan-contract` executable, for any Node version: the contract suite, which tests any server of the
// interface.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('./kit/main.js', import.meta.url)));
await import('./node24.mjs');
