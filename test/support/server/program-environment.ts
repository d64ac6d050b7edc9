const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** What plants a fault in this process, and in those that it starts (test/planted). */
const planting = ['PLANTED', 'NODE_OPTIONS'];

/** The environment for a program that a test starts: paths from this process, without Portolan's settings. */
export function programEnvironment(): Record<string, string> {
  const names = process.env['PLANTED'] === undefined ? kept : [...kept, ...planting];
  return Object.fromEntries(names.flatMap((name) => entry(name)));
}

function entry(name: string): (readonly [string, string])[] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
