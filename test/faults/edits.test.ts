import { edits } from '#test/faults/rows/edits.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(edits);
