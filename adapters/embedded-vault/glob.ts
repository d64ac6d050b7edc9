const special = /[\\^$+.()|[\]{}]/g;

/** A shell pattern as an expression over the whole text: `*` is any letters, slashes too; all else is itself, `?` included. */
export function globExpression(pattern: string): RegExp {
  const source = pattern.replace(special, '\\$&').replaceAll('?', '\\?').replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}
