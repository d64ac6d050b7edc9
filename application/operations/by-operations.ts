import type { OperationCatalog } from '#application/ports/operation-catalog.ts';

type Operations = OperationCatalog['operations'];

/** Derives a value from the operations of a catalog: made again only when they have changed. */
export function byOperations<Made>(
  catalog: Pick<OperationCatalog, 'operations'>,
  make: (operations: Operations) => Made,
): () => Made {
  let known: Readonly<{ of: Operations; made: Made }> | null = null;
  return () => {
    const { operations: of } = catalog;
    if (known?.of !== of) known = { of, made: make(of) };
    return known.made;
  };
}
