import { shutdown } from '#test/faults/rows/shutdown.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(shutdown);
