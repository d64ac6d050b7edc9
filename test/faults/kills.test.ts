import { kills } from '#test/faults/rows/kills.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

// The short form has the same with SQLite in test/http/webhooks/killed.test.ts.
itHolds(casesOf(kills, ({ fault }) => fault.endsWith('PostgreSQL')));
