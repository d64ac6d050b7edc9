import { describe, expect, it } from 'vitest';
import type { FaultRow } from '#test/faults/row.ts';
import { counted } from '#test/faults/table.ts';

const maxMs = 300_000;

/** The short form of rows as tests: a few deliveries, one kill. */
export function itHolds(rows: readonly FaultRow[]): void {
  describe(`faults: ${rows[0]?.subject ?? ''}`, () => {
    it.each(rows.map((row) => [`${row.fault}. ${row.holds}`, row] as const))(
      'are survived: %s',
      async (_, row) => {
        const measured = await row.run({ isShort: true, kills: 1 });
        expect(counted(measured.problems)).toEqual([]);
        expect(measured).toMatchObject({ lost: 0, doubled: 0 });
      },
      maxMs,
    );
  });
}
