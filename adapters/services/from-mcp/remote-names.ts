import { hash } from 'node:crypto';

/** The maximum length of a tool's name that MCP clients accept. */
const maxName = 64;

/**
 * The names that a remote server's tools, or its prompts, have here: each of its own after the key of the service, within
 * 64 characters and the letters that all clients take.
 */
export function namesWithin(key: string, given: readonly string[]): readonly string[] {
  const names = given.map(plainName);
  return given.map((one, place) => {
    const name = names[place] ?? '';
    return nameWithin(key, name, one, names.indexOf(name) === place);
  });
}

function nameWithin(key: string, name: string, given: string, isAlone: boolean): string {
  const whole = `${key}_${name}`;
  if (isAlone && whole.length <= maxName) return whole;
  const mark = hash('sha256', given, 'hex').slice(0, 8);
  return `${whole.slice(0, maxName - mark.length - 1)}_${mark}`;
}

function plainName(name: string): string {
  const plainOne = name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
  return plainOne === '' ? 'tool' : plainOne;
}
