import { providers } from '#test/faults/rows/providers.ts';
import { itHolds } from '#test/faults/short-form.ts';
import { casesOf } from '#test/support/form.ts';

const inShort = ['hangs', 'refuses connections', 'answers half', 'fails'];

// `npm run faults` brings all of them.
itHolds(casesOf(providers, ({ fault }) => inShort.some((mood) => fault.endsWith(` ${mood}`))));
