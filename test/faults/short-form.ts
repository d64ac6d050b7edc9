import { describe, expect, it } from 'vitest';
import { type FaultRow, isHeld } from '#test/faults/row.ts';
import { counted } from '#test/faults/table.ts';

const longestMs = 300_000;

/** The short form of rows as tests: a few deliveries, one kill. `later` are the faults whose cure has not been built yet. */
export function itHolds(rows: readonly FaultRow[], later: readonly string[] = []): void {
  describe(`faults: ${rows[0]?.subject ?? ''}`, () => {
    for (const row of rows) {
      const name = `${row.fault}. ${row.holds}`;
      if (later.some((words) => row.fault.includes(words))) it.todo(name);
      else {
        it(
          name,
          async () => {
            const measured = await row.run({ isShort: true, kills: 1 });
            expect(counted(measured.problems)).toEqual([]);
            expect(measured).toMatchObject({ lost: 0, doubled: 0 });
            expect(isHeld(measured)).toBe(true);
          },
          longestMs,
        );
      }
    }
  });
}
