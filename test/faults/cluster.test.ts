import { cluster } from '#test/faults/rows/cluster.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

itHolds(casesOf(cluster, ({ fault }) => fault === 'each server killed'));
