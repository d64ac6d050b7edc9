import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import type { Entries } from '#test/tools/build/entries.ts';

/**
 * Writes the modules as JavaScript with source maps. Packages stay imports: whoever installs them gets their updates, and the types that
 * both sides use are the same ones. The sources go into few files, which load sooner than many.
 */
export async function writeJavaScript(entries: Entries, folder: string): Promise<void> {
  const bundle = await rolldown({ input: { ...entries }, platform: 'node', external: isPackage, onLog: refuse });
  await bundle.write({
    dir: folder,
    format: 'es',
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'common', minShareCount: 3, test: isSmallLeaf }] },
  });
  await bundle.close();
}

/** Whether a module is small and imports nothing of the project's own: those that several share go into one file, rather than a file each. */
function isSmallLeaf(path: string): boolean {
  if (!path.endsWith('.ts') || isPackage(path)) return false;
  const source = readFileSync(path, 'utf8');
  return source.length < 4_000 && !/^(import|export) (?!type\b)[^;]*from '[#.]/m.test(source);
}

/** Whether an import is of a package or of Node: the project's own begin with # or are paths. */
export function isPackage(specifier: string): boolean {
  return !/^[#./]/.test(specifier);
}

/** Lets no warning pass: what could not be found, say, would fail where it runs. */
export function refuse(level: string, log: Readonly<{ message: string }>): void {
  if (level === 'warn') throw new Error(log.message);
}
