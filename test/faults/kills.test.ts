import { kills } from '#test/faults/rows/kills.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(kills);
