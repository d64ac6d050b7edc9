import { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import { type FoundOperation, OperationFinder } from '#adapters/services/from-openapi/found-operation.ts';
import type { PickedOperation } from '#adapters/services/from-openapi/options.ts';
import { ReadableNames } from '#adapters/services/from-openapi/readable-names.ts';

/** Reads the given document, or each of a list of them. */
export function documentsOf(given: unknown): readonly [OpenApiDocument, ...OpenApiDocument[]] {
  if (!Array.isArray(given)) return [new OpenApiDocument(given)];
  const [first, ...others] = given.map((one) => new OpenApiDocument(one));
  if (first === undefined) throw new Error('fromOpenApi: the list of documents is empty; give at least one.');
  const titles = [first, ...others].map(({ title }) => title);
  const twice = titles.find((title, index) => titles.indexOf(title) !== index);
  if (twice === undefined) return [first, ...others];
  throw new Error(`fromOpenApi: two documents have the title "${twice}"; give each its own \`info.title\`.`);
}

type InDocument = Readonly<{ document: OpenApiDocument; finder: OperationFinder; names: ReadableNames }>;

/** Finds picked operations in the documents of a service. */
export class DocumentFinder {
  readonly #documents: readonly InDocument[];

  constructor(documents: readonly OpenApiDocument[]) {
    this.#documents = documents.map((document) => {
      const finder = new OperationFinder(document);
      return { document, finder, names: new ReadableNames(document, finder.all) };
    });
  }

  /** Returns the operation and its document; throws for an unknown one, or one that several documents have. */
  get({ pick, document: title }: Exclude<PickedOperation, string>): InDocument & Readonly<{ found: FoundOperation }> {
    const titles = this.#documents.map(({ document }) => `"${document.title}"`).join(', ');
    const among = this.#documents.filter(({ document }) => title === undefined || document.title === title);
    const [first] = among;
    if (first === undefined)
      throw new Error(`fromOpenApi: "${pick}" is of the document "${title}", which is not given; there are ${titles}.`);
    const found = among.flatMap((one) => {
      const operation = one.finder.find(pick);
      return operation === null ? [] : [{ ...one, found: operation }];
    });
    const [only, second] = found;
    if (second !== undefined)
      throw second.document.fault(
        second.found.place,
        `is "${pick}", as is one of "${only?.document.title}"; pick it as { pick: '${pick}', document: '${second.document.title}' }`,
      );
    // The error of the document that knows the nearest name says most, which is the first's where there is one only.
    return only ?? { ...first, found: first.finder.get(pick) };
  }
}
