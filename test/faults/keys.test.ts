import { keys } from '#test/faults/rows/keys.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(keys);
