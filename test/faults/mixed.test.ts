import { mixed } from '#test/faults/rows/mixed.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(mixed);
