import { undo } from '#test/faults/rows/undo.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(undo);
