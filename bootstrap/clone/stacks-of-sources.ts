import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Node's own errors have their code in the first line of their stack. */
const isOfNode = (error: Error): error is Error & { code: string } =>
  'code' in error && Object.getOwnPropertySymbols(error).some(({ description }) => description === 'kIsNodeError');

/** How long source maps are cached, in ms; they take more memory than all loaded code. */
const keptMs = 10_000;

/**
 * Maps the stack traces of the build in `folder` to the sources. Source maps are read when a stack is accessed;
 * `--enable-source-maps` would read them with each module.
 */
export function tellSourcesInStacks(folder: string): void {
  const places = new RegExp(`(${pathToFileURL(folder).href.replaceAll(/[^\w/]/g, '\\$&')}/[^:]+):(\\d+):(\\d+)`, 'g');
  const maps = new Map<string, SourceMap | null>();
  const inSources = (site: string): string =>
    site.replace(places, (built, url: string, line: string, column: string) => {
      if (maps.size === 0) setTimeout(() => maps.clear(), keptMs).unref();
      const map = maps.get(url) ?? mapOf(url);
      maps.set(url, map);
      const found = map?.findEntry(Number(line) - 1, Number(column) - 1);
      if (found === undefined || !('originalSource' in found)) return built;
      return `${new URL(found.originalSource, url).href}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    });
  Error.prepareStackTrace = (error, sites) => {
    const head = isOfNode(error) ? `${error.name} [${error.code}]: ${error.message}` : headOf(error);
    // Process reports contain a stack that nobody reads; SQLite's driver requests one at each start.
    const isOfReport = sites[0]?.getFileName() === 'node:internal/process/report';
    const lines = sites.map((site: unknown) => `    at ${isOfReport ? String(site) : inSources(String(site))}`);
    return [head, ...lines].join('\n');
  };
}

function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function mapOf(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return null;
  }
}
