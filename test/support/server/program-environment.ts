const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** The environment for a program that a test starts: paths from this process, without Portolan's settings. */
export function programEnvironment(): Record<string, string> {
  return Object.fromEntries(kept.flatMap((name) => entry(name)));
}

function entry(name: string): (readonly [string, string])[] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
