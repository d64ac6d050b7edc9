import { Session } from 'node:inspector/promises';

/** One source file of the project that code ran in, and the names of the functions that ran; `<anonymous>` for those without one. */
export type CoveredFile = Readonly<{ path: string; functions: readonly string[] }>;

const root = new URL('../../../', import.meta.url).href;
const rooms = ['domain/', 'application/', 'adapters/', 'infrastructure/', 'bootstrap/'];

/**
 * The source files of the project, in the order of their paths, in which functions run in this process while `act` does, by V8's own
 * coverage. `act` runs once before it counts, so that what is loaded or looked up for the first time does not.
 */
export async function filesRunBy(act: () => Promise<unknown>): Promise<readonly CoveredFile[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await act();
    // Taking the coverage resets the counts: what has run so far is left out.
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return result
      .flatMap(({ url, functions }) => fileOf(url, functions))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    session.disconnect();
  }
}

type Functions = readonly Readonly<{ functionName: string; ranges: readonly Readonly<{ count: number }>[] }>[];

function fileOf(url: string, functions: Functions): readonly CoveredFile[] {
  const path = url.startsWith(root) ? url.slice(root.length).replace(/\?.*$/, '') : '';
  if (!rooms.some((room) => path.startsWith(room))) return [];
  const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  return ran.length === 0 ? [] : [{ path, functions: ran.map(({ functionName }) => functionName || '<anonymous>') }];
}
