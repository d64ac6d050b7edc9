import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import { type Json, jsonOr, textOrNull } from '#adapters/services/from-openapi/json.ts';
import type { RowMethod } from '#adapters/services/requests/row-options.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { nearest } from '#domain/text/nearest.ts';

/** An operation of a document; `item` is its path item, whose parameters and servers it shares. */
export type FoundOperation = Readonly<{
  id: string | null;
  method: RowMethod;
  path: string;
  operation: Json;
  item: Json;
  place: readonly string[];
}>;

/** A method and path, as used to pick an operation without `operationId`. */
const addressPattern = /^([A-Za-z]+)\s+(\/.*)$/;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const unsupported = ['head', 'options', 'trace', 'query'];
const rowMethods: Readonly<Record<(typeof methods)[number], RowMethod>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** Finds operations of one document by their `operationId` or as 'GET /trips/{id}'. */
export class OperationFinder {
  readonly #document: OpenApiDocument;
  readonly #operations: readonly FoundOperation[];

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#operations = Object.entries(jsonOr(document.root['paths'])).flatMap(([path, value]) => {
      const place = ['paths', path];
      const item = document.resolved(value, place);
      return methods.flatMap((method): readonly FoundOperation[] => {
        const operation = own(item, method);
        if (!isObject(operation)) return [];
        const id = textOrNull(operation['operationId']);
        return [{ id, method: rowMethods[method], path, operation, item, place: [...place, method] }];
      });
    });
  }

  /** All operations, in the document's order. */
  get all(): readonly FoundOperation[] {
    return this.#operations;
  }

  /** Returns the operation; null for an unknown one. */
  find(pick: string): FoundOperation | null {
    const [, method, path] = addressPattern.exec(pick) ?? [];
    const found =
      method === undefined
        ? this.#operations.find(({ id }) => id === pick)
        : this.#operations.find((one) => one.method === method.toUpperCase() && one.path === path);
    return found ?? null;
  }

  /** Returns the operation; throws for an unknown one, with suggestions. */
  get(pick: string): FoundOperation {
    const [, method] = addressPattern.exec(pick) ?? [];
    const found = this.find(pick);
    if (found !== null) return found;
    if (method !== undefined && unsupported.includes(method.toLowerCase())) {
      throw this.#document.fault(['paths'], `is called with GET, POST, PUT, PATCH and DELETE, not "${pick}"`);
    }
    throw this.#document.fault(['paths'], `has no operation "${pick}"${this.#hint(pick, method !== undefined)}`);
  }

  #hint(pick: string, isAddress: boolean): string {
    const known = this.#operations.flatMap(({ id, method, path }) => (isAddress ? [`${method} ${path}`] : (id ?? [])));
    const near = nearest(pick.slice(0, 200), known);
    if (near.length > 0) return `; did you mean ${near.map((one) => `"${one}"`).join(' or ')}`;
    const example = known[0] ?? this.#operations.map(({ method, path }) => `${method} ${path}`)[0];
    return example === undefined ? '; it has none at all' : `; an operation is named like "${example}"`;
  }
}
