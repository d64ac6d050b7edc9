const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** What a program that a test starts needs of this process's environment: where things are, and no setting of ours. */
export function programEnvironment(): Record<string, string> {
  return Object.fromEntries(kept.flatMap((name) => entry(name)));
}

function entry(name: string): (readonly [string, string])[] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
