import { describe } from 'vitest';
import { reactions } from '#test/faults/rows/reactions.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { isLong } from '#test/support/form.ts';

// A person is asked after a minute: the short form has the same with one process, in test/http/reactions/killed-call.test.ts.
describe.runIf(isLong)('the fault tests of reactions in the long form', () => itHolds(reactions));
