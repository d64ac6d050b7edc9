import type { PlantedFault } from '#test/planted/fault.ts';

/** The file that lists the clauses that have no planted fault yet: `npm run planted -- --table` writes it. */
export const noneYetFile = 'test/planted/none-yet.txt';

/** The ids of the clauses that no fault is against, in the order of the specification. */
export function noneYetOf(
  clauses: readonly Readonly<{ id: string }>[],
  faults: readonly PlantedFault[],
): readonly string[] {
  const planted = new Set(faults.map(({ clause }) => clause));
  return clauses.map(({ id }) => id).filter((id) => !planted.has(id));
}

/** The list as text, a group a line: `SET: 001 002`. */
export function textOfNoneYet(ids: readonly string[]): string {
  const groups = Map.groupBy(ids, (id) => id.replace(/-\d+$/, ''));
  return [...groups].map(([group, those]) => `${group}: ${those.map((id) => id.slice(-3)).join(' ')}\n`).join('');
}

/** The ids of such a text. */
export function noneYetIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [group = '', numbers = ''] = line.split(': ');
      return numbers.split(' ').map((number) => `${group}-${number}`);
    });
}
