import { start } from '#test/faults/rows/start.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(start);
