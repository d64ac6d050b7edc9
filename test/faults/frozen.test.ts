import { frozen } from '#test/faults/rows/frozen.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

itHolds(casesOf(frozen, ({ fault }) => fault.startsWith('one')));
