import { cluster } from '#test/faults/rows/cluster.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(cluster);
