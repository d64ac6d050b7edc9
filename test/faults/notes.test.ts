import { notes } from '#test/faults/rows/notes.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(notes);
