import { starvedRows } from '#test/faults/rows/starved-rows.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

itHolds(casesOf(starvedRows, ({ fault }) => fault.startsWith('disk:')));
