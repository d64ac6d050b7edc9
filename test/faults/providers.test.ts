import { providers } from '#test/faults/rows/providers.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(providers);
