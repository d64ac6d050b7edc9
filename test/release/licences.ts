import { z } from 'zod';

/** Licences that ask for no more than their own text to go along. */
const permissive = new Set([
  'MIT-0',
  'PSF-2.0',
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
  'Unlicense',
]);

const licence = z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]);
const bomSchema = z.object({
  components: z.array(z.object({ name: z.string(), version: z.string(), licenses: z.array(licence).default([]) })),
});

/** Returns the packages of a bill of materials whose licence is missing or not permissive, with it. */
export function otherLicences(bom: string): readonly string[] {
  return bomSchema.parse(JSON.parse(bom)).components.flatMap(({ name, version, licenses }) => {
    const given = licenses.map((one) => ('license' in one ? one.license.id : one.expression));
    const isFine = given.length > 0 && given.every(isPermissive);
    return isFine ? [] : [`${name} ${version}: ${given.join(', ') || 'no licence'}`];
  });
}

/** Whether one of the alternatives of an expression asks for permissive licences only. */
function isPermissive(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(/ OR /);
  return alternatives.some((one) => one.split(/ AND /).every((name) => permissive.has(name.trim())));
}
