import { shutdown } from '#test/faults/rows/shutdown.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

// The short form has the other two in test/e2e/stop.test.ts.
itHolds(casesOf(shutdown, ({ fault }) => fault.startsWith('idle') || fault.startsWith('a second Ctrl-C')));
