import { databases } from '#test/faults/rows/databases.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(databases);
