import { storage } from '#test/faults/rows/storage.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

// The short form has the others in test/http/server/storage-away.test.ts, in one process.
itHolds(casesOf(storage, ({ fault }) => fault.includes('killed') || fault.includes('unmounted')));
