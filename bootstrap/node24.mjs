// Runs a script under Node 24, whatever Node (20 or newer) the caller has: `node bootstrap/node24.mjs <script> [args]`.
// Node 24 comes from the registry as the optional dependency node-<platform>-<arch>. It is looked up here and not taken
// from node_modules/.bin: npm 10 drops that link when it skips the sibling packages of other platforms.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node bootstrap/node24.mjs <script> [args]');

// npm runs this in a shell, and a signal to npm ends the shell and leaves us behind. Who started us being gone is the signal then.
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
if (major >= 24) {
  process.argv = [process.argv[0], resolve(script), ...args];
  await import(pathToFileURL(resolve(script)).href);
} else {
  const child = spawn(node24(), [script, ...args], { stdio: 'inherit' });
  // On a terminal Ctrl-C reaches the child by itself: sent once more, it would cut the draining short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function node24() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), platform === 'win' ? 'bin/node.exe' : 'bin/node');
  } catch {
    return fail(
      `Portolan runs on Node 24. This is Node ${process.versions.node}, and the package ${name} is not installed.\n` +
        'Run `npm ci` (with optional dependencies), or install Node 24 yourself and start again.',
    );
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
